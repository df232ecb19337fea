import { cleanup, screen } from "@testing-library/react";
import { Command as Palette } from "cmdk";
import { expect, test } from "vitest";
import { CommandItems } from "@/features/search/command-items";
import { matchCommands } from "@/features/search/matching";
import { ShortcutsSheet } from "@/features/shortcuts/shortcuts-sheet";
import { allCommands, commandSpec, useCommand, useCommands } from "@/lib/keys/commands";
import { renderApp } from "@/testing/render-app";

const groups = ["Library", "Session", "Tree", "Find", "View", "Help"];

function OfferAll() {
  for (const name of allCommands()) {
    // biome-ignore lint/correctness/useHookAtTopLevel: the table never changes
    useCommand(name, () => {});
  }
  return (
    <Palette>
      <Palette.List>
        <CommandItems commands={matchCommands(useCommands(), "")} onRun={(then) => then()} />
      </Palette.List>
    </Palette>
  );
}

test("every action has a group, and a title that no other one of the group has", () => {
  const titles = allCommands().map(
    (name) => `${commandSpec(name).group}: ${commandSpec(name).title}`,
  );
  expect(new Set(titles).size).toBe(titles.length);
  for (const name of allCommands()) expect(groups).toContain(commandSpec(name).group);
});

test("no two actions that the whole window hears have the same key", () => {
  const heard = new Map<string, string>();
  for (const name of allCommands()) {
    const { keys, scope } = commandSpec(name);
    if (scope) continue;
    for (const chord of keys) {
      expect(heard.get(chord), chord).toBeUndefined();
      heard.set(chord, name);
    }
  }
});

test("every action with a key is in the palette and on the sheet", async () => {
  await renderApp(<OfferAll />);
  const offered = screen.getAllByRole("option").map((option) => option.textContent ?? "");
  for (const name of allCommands()) {
    const { title, hidden } = commandSpec(name);
    expect(offered.some((text) => text.startsWith(title))).toBe(!hidden);
  }
  cleanup();
  await renderApp(<ShortcutsSheet open onClose={() => {}} />);
  const terms = screen.getAllByRole("term").map((term) => term.textContent);
  for (const name of allCommands()) {
    const { title, keys } = commandSpec(name);
    if (keys.length > 0) expect(terms).toContain(title.replace(/…$/, ""));
  }
});
