import { expect, test } from "vitest";
import { actOf } from "./composer-keys";

const still = { empty: false, running: false, editing: false };
const press = (chord: string) => ({
  key: chord.split("+").at(-1) ?? "",
  shiftKey: chord.includes("Shift+"),
  ctrlKey: chord.includes("Ctrl+"),
  metaKey: chord.includes("Meta+"),
  altKey: chord.includes("Alt+"),
  isComposing: false,
});

test.each([
  ["Enter", still, "send"],
  ["Ctrl+Enter", still, "send"],
  ["Meta+Enter", still, "send"],
  ["Shift+Enter", still, undefined],
  ["Alt+Enter", still, undefined],
  ["Escape", still, undefined],
  ["Escape", { ...still, running: true }, undefined],
  ["Escape", { ...still, running: true, empty: true }, "stop"],
  ["Escape", { ...still, editing: true }, "cancel"],
  ["Ctrl+Escape", { ...still, running: true, empty: true }, undefined],
  ["a", still, undefined],
])("%s", (chord, typing, act) => {
  expect(actOf(press(chord), typing)).toBe(act);
});

test("Enter that ends the writing of a character sends nothing", () => {
  expect(actOf({ ...press("Enter"), isComposing: true }, still)).toBeUndefined();
});
