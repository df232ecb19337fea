import { expect, test } from "vitest";
import {
  moveTo,
  neighbour,
  nothing,
  prune,
  type Selection,
  take,
  takeAll,
  takeFocused,
} from "./selection";

const order = ["a", "b", "c", "d", "e"];
const click = { shift: false, control: false };
const shift = { shift: true, control: false };
const control = { shift: false, control: true };
const both = { shift: true, control: true };

const chosen = (selection: Selection) => order.filter((id) => selection.ids.has(id)).join("");

test("a click takes one, Ctrl adds and takes away", () => {
  let selection = take(nothing, order, "b", click);
  expect(chosen(selection)).toBe("b");
  selection = take(selection, order, "d", control);
  expect(chosen(selection)).toBe("bd");
  selection = take(selection, order, "b", control);
  expect(chosen(selection)).toBe("d");
  expect(selection.focusId).toBe("b");
});

test("Shift goes from the anchor, which stays where it was", () => {
  let selection = take(nothing, order, "c", click);
  selection = take(selection, order, "e", shift);
  expect(chosen(selection)).toBe("cde");
  selection = take(selection, order, "a", shift);
  expect(chosen(selection)).toBe("abc");
  expect(selection.anchorId).toBe("c");
});

test("Ctrl and Shift together add a range to what is there", () => {
  let selection = take(nothing, order, "a", click);
  selection = take(selection, order, "d", control);
  selection = take(selection, order, "e", both);
  expect(chosen(selection)).toBe("ade");
});

test("Shift without an anchor, or with one that has left, takes one", () => {
  expect(chosen(take(nothing, order, "c", shift))).toBe("c");
  const lost = { ids: new Set<string>(), focusId: "", anchorId: "gone" };
  expect(chosen(take(lost, order, "c", shift))).toBe("c");
});

test("all, and back to one", () => {
  const all = takeAll(take(nothing, order, "c", click), order);
  expect(chosen(all)).toBe("abcde");
  expect(chosen(takeFocused(all))).toBe("c");
});

test("what left the list is forgotten, and the keys go to what took its place", () => {
  const selection = take(take(nothing, order, "b", click), order, "c", shift);
  const after = ["a", "d", "e"];
  const pruned = prune(selection, order, after);
  expect([...pruned.ids]).toEqual([]);
  expect(pruned.focusId).toBe("d");
  expect(pruned.anchorId).toBe("d");
  expect(prune(pruned, after, after)).toBe(pruned);
});

test("at the end of the list the keys go up", () => {
  const last = take(nothing, order, "e", click);
  expect(prune(last, order, ["a", "b"]).focusId).toBe("b");
  expect(prune(last, order, []).focusId).toBe("");
});

test.each([
  [["b"], "c"],
  [["b", "c", "e"], "d"],
  [["d", "e"], "c"],
  [order, undefined],
])("%j leave their place to %j", (ids, next) => {
  expect(neighbour(order, ids)).toBe(next);
});

test.each([
  ["ArrowDown", -1, 0],
  ["ArrowDown", 4, 4],
  ["ArrowUp", 0, 0],
  ["ArrowUp", -1, 0],
  ["PageDown", 1, 4],
  ["PageUp", 4, 1],
  ["Home", 3, 0],
  ["End", 0, 4],
  ["x", 0, undefined],
])("%s from %s leads to %s", (key, at, to) => {
  expect(moveTo(key, at, order.length, 3)).toBe(to);
});
