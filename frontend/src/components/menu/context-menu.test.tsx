import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ContextMenu } from "./context-menu";

function Rows() {
  return (
    <ContextMenu
      entries={(target) =>
        target.dataset.row ? [{ title: `Open ${target.dataset.row}`, onSelect: () => {} }] : []
      }
    >
      <div>
        <button type="button" data-row="oak">
          Oak
        </button>
        <input aria-label="Name" data-row="field" />
      </div>
    </ContextMenu>
  );
}

// The engine here behaves like WebKitGTK: no key opens a menu on its own.
test.each([{ key: "F10", shiftKey: true }, { key: "ContextMenu" }])(
  "the key %j opens the menu of what has the focus",
  async (key) => {
    render(<Rows />);
    expect(fireEvent.keyDown(screen.getByText("Oak"), key)).toBe(false);
    await screen.findByRole("menuitem", { name: "Open oak" });
  },
);

test("a text field keeps its own menu", () => {
  render(<Rows />);
  expect(fireEvent.keyDown(screen.getByLabelText("Name"), { key: "ContextMenu" })).toBe(true);
  expect(screen.queryByRole("menuitem")).toBeNull();
});
