import { expect, test } from "vitest";
import { timelineKey } from "./timeline-keys";

const press = (key: string, held: { ctrlKey?: boolean; shiftKey?: boolean } = {}) => ({
  key,
  code: "",
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

test.each([
  ["ArrowRight", 3, { do: "go", bar: 4 }],
  ["ArrowLeft", 0, { do: "go", bar: 0 }],
  ["PageDown", 15, { do: "go", bar: 19 }],
  ["Home", 7, { do: "go", bar: 0 }],
  ["End", 7, { do: "go", bar: 19 }],
  ["Enter", 7, { do: "view-turn" }],
  ["Enter", -1, undefined],
  ["+", 7, { do: "zoom", factor: 1.5 }],
  ["0", 7, { do: "fit" }],
  ["t", 7, { do: "map" }],
  ["ArrowDown", 7, undefined],
] as const)("%s at bar %i of a timeline that grows right", (key, bar, action) => {
  expect(timelineKey(press(key), bar, 20, "right")).toEqual(action);
});

test("grows down, it is walked with the other arrow keys", () => {
  expect(timelineKey(press("ArrowDown"), 3, 20, "down")).toEqual({ do: "go", bar: 4 });
  expect(timelineKey(press("ArrowRight"), 3, 20, "down")).toBeUndefined();
});

test("branches from a turn", () => {
  expect(timelineKey(press("Enter", { ctrlKey: true }), 3, 20, "right")).toEqual({
    do: "continue-turn",
  });
});
