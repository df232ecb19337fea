import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderApp } from "@/testing/render-app";
import { DropOverlay } from "./drop-overlay";

async function drawn() {
  const onDrop = vi.fn();
  const fake = await renderApp(
    <>
      <p>one</p>
      <p>two</p>
      <DropOverlay onDrop={onDrop} />
    </>,
    { sessions: 0 },
  );
  /** Sends an event of a drag that carries something of these types; reports whether the page prevents the default. */
  const drag = (name: string, target: Element, ...types: string[]) => {
    const event = new Event(name, { bubbles: true, cancelable: true });
    Object.assign(event, { dataTransfer: { types } });
    act(() => void target.dispatchEvent(event));
    return event.defaultPrevented;
  };
  const isShown = () => screen.queryByText("Drop to import") !== null;
  return {
    ...fake,
    drag,
    isShown,
    onDrop,
    one: screen.getByText("one"),
    two: screen.getByText("two"),
  };
}

test.each(["Files", "text/uri-list"])(
  "%s from outside are welcome while they are over the window",
  async (type) => {
    const { drag, isShown, one, two } = await drawn();
    expect(drag("dragenter", one, "text/plain", type)).toBe(true);
    expect(drag("dragover", one, type)).toBe(true);
    expect(isShown()).toBe(true);
    drag("dragenter", two, type);
    drag("dragleave", one, type);
    expect(isShown()).toBe(true);
    drag("dragleave", two, type);
    expect(isShown()).toBe(false);
  },
);

test("what is dropped is imported, and does not open in the place of the page", async () => {
  const { drag, drop, isShown, one, onDrop } = await drawn();
  drag("dragenter", one, "Files");
  expect(drag("drop", one, "Files")).toBe(true);
  expect(isShown()).toBe(false);
  act(() => drop(["/home/ada/a.jsonl", "/home/ada/sessions"]));
  expect(onDrop.mock.calls).toEqual([[["/home/ada/a.jsonl", "/home/ada/sessions"]]]);
  // The address of a page gives no file.
  act(() => drop([""]));
  expect(onDrop).toHaveBeenCalledTimes(1);
});

test("a link of the page and text from elsewhere are left alone", async () => {
  const { drag, isShown, one, two } = await drawn();
  drag("dragstart", one, "text/uri-list");
  expect(drag("dragenter", two, "text/uri-list")).toBe(false);
  expect(isShown()).toBe(false);
  drag("dragend", one, "text/uri-list");
  expect(drag("dragenter", two, "text/plain")).toBe(false);
  expect(isShown()).toBe(false);
  expect(drag("dragenter", two, "text/uri-list")).toBe(true);
});
