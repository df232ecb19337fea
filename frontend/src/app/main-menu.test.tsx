import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { useCommand } from "@/lib/keys/commands";
import { menuEntries } from "./main-menu";

const run = vi.fn();

function Offers() {
  useCommand("import", run);
  useCommand("export", run, { enabled: false });
  return null;
}

function entry(group: string, title: string) {
  for (const one of menuEntries()) {
    if (one === "separator" || one.heading || one.title !== group) continue;
    const found = one.entries?.find((entry) => entry !== "separator" && entry.title === title);
    if (found && found !== "separator" && !found.heading) return found;
  }
  throw new Error(`${group} has no ${title}`);
}

test("the menu has every command with its key; those that do nothing now are disabled", () => {
  render(<Offers />);
  expect(entry("File", "Import…")).toMatchObject({ keys: "Mod+O", disabled: false });
  expect(entry("File", "Export session…")).toMatchObject({ disabled: true });
  expect(entry("Tree", "Show as map")).toMatchObject({ disabled: true });
  entry("File", "Import…").onSelect?.();
  expect(run).toHaveBeenCalledOnce();
});
