import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderApp } from "@/testing/render-app";
import { ImportDialog } from "./import-dialog";
import { useImport } from "./use-import";

function Dialog() {
  const importing = useImport();
  return (
    <>
      <button type="button" onClick={importing.show}>
        Import
      </button>
      <ImportDialog importing={importing} onOpenSession={() => {}} />
    </>
  );
}

test("an import shows how far it is, then what it did and each problem", async () => {
  const { user, calls } = await renderApp(<Dialog />, { sessions: 0, importMs: 500 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Claude Code/ }));
  expect(calls.find(({ name }) => name === "StartImport")?.args).toEqual([
    ["/home/ada/.claude/projects"],
    false,
  ]);
  await screen.findByRole("progressbar", { name: "Import" });
  await screen.findByRole("dialog", { name: "Import finished" });
  screen.getByText("1 problem");
  screen.getByRole("heading", { name: "3 files skipped" });
  screen.getByText("contains no session");
  screen.getByText(/empty\.jsonl/);
  screen.getByText(/0193aa\.jsonl:4812/);
  const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  await user.click(screen.getByRole("button", { name: "Copy all" }));
  expect(copy.mock.calls[0]?.[0]).toMatch(/0193aa\.jsonl:4812: not a JSON object/);
});

test("all places of this machine are imported at once", async () => {
  const { user, calls } = await renderApp(<Dialog />, { sessions: 0 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: "Import all 2 folders" }));
  expect(calls.find(({ name }) => name === "StartImport")?.args).toEqual([
    ["/home/ada/.claude/projects", "/home/ada/.codex/sessions"],
    false,
  ]);
});

test("sessions that were removed for good come back when the user asks for them", async () => {
  const { user, calls } = await renderApp(<Dialog />, { sessions: 0, importMs: 50 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  await screen.findByText("2 sessions skipped: removed for good.");
  await user.click(screen.getByRole("button", { name: "Import removed sessions" }));
  const imports = calls.filter(({ name }) => name === "StartImport").map(({ args }) => args);
  expect(imports).toEqual([
    [["/home/ada/.codex/sessions"], false],
    [["/home/ada/.codex/sessions"], true],
  ]);
});

test("Cancel stops the job and shows what is kept", async () => {
  const { user } = await renderApp(<Dialog />, { sessions: 0, importMs: 60_000 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await screen.findByRole("dialog", { name: "Import stopped" });
  screen.getByText(/Everything imported so far is kept/);
});

test("an import that cannot begin explains why and offers the choice again", async () => {
  const fake = await renderApp(<Dialog />, { sessions: 0 });
  fake.bindings.StartImport = async () => {
    throw { code: "busy", message: "another window imports at this moment", hint: "wait for it" };
  };
  await fake.user.click(screen.getByRole("button", { name: "Import" }));
  await fake.user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  await screen.findByText("another window imports at this moment");
  await fake.user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("button", { name: /Import from Codex/ });
});

test("a hidden import continues and reports its end", async () => {
  const { user } = await renderApp(<Dialog />, { sessions: 0, importMs: 600 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  await user.click(await screen.findByRole("button", { name: "Continue in background" }));
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(await screen.findByRole("button", { name: "Show report" }));
  await waitFor(() => screen.getByRole("dialog", { name: "Import finished" }));
});

test("what is imported is followed from then on, unless that is not wished", async () => {
  const { user, calls } = await renderApp(<Dialog />, { sessions: 0, importMs: 50 });
  const followed = () => calls.filter(({ name }) => name === "SetFollowed").map(({ args }) => args);
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  await screen.findByRole("dialog", { name: "Import finished" });
  await waitFor(() => expect(followed()).toEqual([[["/home/ada/.codex/sessions"]]]));

  await user.click(screen.getByRole("button", { name: "Import more…" }));
  await screen.findByText(/· followed/);
  const keep = screen.getByRole<HTMLInputElement>("checkbox", {
    name: /Follow the imported folders/,
  });
  expect(keep.checked).toBe(false); // it was chosen once
  await user.click(screen.getByRole("button", { name: /Import from Claude Code/ }));
  await screen.findByRole("dialog", { name: "Import finished" });
  expect(followed()).toHaveLength(1);

  await user.click(screen.getByRole("button", { name: "Import more…" }));
  await user.click(screen.getByRole("checkbox", { name: /Follow the imported folders/ }));
  await user.click(screen.getByRole("button", { name: /Import from Claude Code/ }));
  await waitFor(() =>
    expect(followed()[1]).toEqual([["/home/ada/.codex/sessions", "/home/ada/.claude/projects"]]),
  );
});

test("an import that was stopped is not followed", async () => {
  const { user, calls } = await renderApp(<Dialog />, { sessions: 0, importMs: 60_000 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await screen.findByRole("dialog", { name: "Import stopped" });
  expect(calls.some(({ name }) => name === "SetFollowed")).toBe(false);
});

test("Enter moves from each question of the dialog to the next", async () => {
  const { user } = await renderApp(<Dialog />, { sessions: 0, importMs: 500 });
  await user.click(screen.getByRole("button", { name: "Import" }));
  await user.click(await screen.findByRole("button", { name: /Import from Codex/ }));
  const goOn = await screen.findByRole("button", { name: "Continue in background" });
  await waitFor(() => expect(document.activeElement).toBe(goOn));
  await screen.findByRole("dialog", { name: "Import finished" });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
