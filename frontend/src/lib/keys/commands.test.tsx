import { render } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { type CommandOptions, listCommands, runCommand, runKey, useCommand } from "./commands";

function Offer({
  onRun,
  ...options
}: Partial<CommandOptions> & { onRun: (argument: string) => void }) {
  useCommand("import", onRun, { title: "Import…", keys: "Mod+O", ...options });
  return null;
}

function press(key: string, init: KeyboardEventInit = {}, target: EventTarget = document.body) {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  let ran = false;
  const listener = (heard: Event) => {
    ran = runKey(heard as KeyboardEvent);
  };
  window.addEventListener("keydown", listener, { once: true });
  target.dispatchEvent(event);
  return { ran, event };
}

test("an action is there while its component is", () => {
  const run = vi.fn();
  expect(runCommand("import")).toBe(false);
  const { unmount } = render(<Offer onRun={run} />);
  expect(listCommands().map(({ name }) => name)).toEqual(["import"]);
  expect(runCommand("import", "about")).toBe(true);
  expect(run).toHaveBeenCalledWith("about");
  unmount();
  expect(listCommands()).toEqual([]);
  expect(runCommand("import")).toBe(false);
});

test("the newest handler runs, without a new registration", () => {
  const first = vi.fn();
  const second = vi.fn();
  const { rerender } = render(<Offer onRun={first} />);
  const before = listCommands();
  rerender(<Offer onRun={second} />);
  expect(listCommands()).toBe(before);
  runCommand("import");
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
});

test("the component mounted last owns the name, and gives it back", () => {
  const below = vi.fn();
  const above = vi.fn();
  render(<Offer onRun={below} />);
  const { unmount } = render(<Offer onRun={above} title="Other" />);
  expect(listCommands().map(({ title }) => title)).toEqual(["Other"]);
  runCommand("import");
  unmount();
  runCommand("import");
  expect([below.mock.calls.length, above.mock.calls.length]).toEqual([1, 1]);
});

test("an action that is not enabled takes no key", () => {
  const run = vi.fn();
  render(<Offer onRun={run} enabled={false} />);
  const { ran, event } = press("o", { ctrlKey: true });
  expect(ran).toBe(false);
  expect(event.defaultPrevented).toBe(false);
  expect(run).not.toHaveBeenCalled();
});

test("keys run actions and are used up", () => {
  const run = vi.fn();
  render(<Offer onRun={run} />);
  const { ran, event } = press("o", { ctrlKey: true });
  expect(ran).toBe(true);
  expect(event.defaultPrevented).toBe(true);
  expect(run).toHaveBeenCalledOnce();
});

test("keys that a component hears itself are only shown", () => {
  const run = vi.fn();
  render(<Offer onRun={run} keys="Delete" scope="library" />);
  expect(press("Delete").ran).toBe(false);
  expect(runCommand("import")).toBe(true);
});

test("what is typed into a field stays there", () => {
  const run = vi.fn();
  const { container } = render(
    <>
      <Offer onRun={run} keys={["Alt+ArrowUp", "Mod+Z", "Mod+O"]} />
      <input />
    </>,
  );
  const field = container.querySelector("input") as HTMLInputElement;
  expect(press("ArrowUp", { altKey: true }, field).ran).toBe(false);
  expect(press("z", { ctrlKey: true }, field).ran).toBe(false);
  expect(press("o", { ctrlKey: true }, field).ran).toBe(true);
  expect(press("ArrowUp", { altKey: true }).ran).toBe(true);
});

test("behind a dialog nothing changes but the looks", () => {
  const run = vi.fn();
  const { container, rerender } = render(
    <div role="dialog">
      <Offer onRun={run} group="Library" />
      <button type="button">inside</button>
    </div>,
  );
  const inside = container.querySelector("button") as HTMLElement;
  expect(press("o", { ctrlKey: true }, inside).ran).toBe(false);
  // The focused element is removed.
  expect(press("o", { ctrlKey: true }).ran).toBe(false);
  rerender(
    <div role="dialog">
      <Offer onRun={run} group="View" />
      <button type="button">inside</button>
    </div>,
  );
  expect(press("o", { ctrlKey: true }, inside).ran).toBe(true);
});

test("an undefined title is as if it were missing", () => {
  render(<Offer onRun={vi.fn()} title={undefined} />);
  expect(listCommands().map(({ title }) => title)).toEqual(["Import…"]);
});
