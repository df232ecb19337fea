import { expect, test } from "vitest";
import { rememberUndo, undo } from "./undo";

test("each action is taken back once, the last one first", async () => {
  const reverted: string[] = [];
  const remember = (name: string) =>
    rememberUndo(name, async () => {
      reverted.push(name);
    });
  remember("one");
  const two = remember("two");
  remember("three");
  expect(await undo(two)).toBe(true);
  expect(await undo(two)).toBe(false);
  expect(await undo()).toBe(true);
  expect(await undo()).toBe(true);
  expect(await undo()).toBe(false);
  expect(reverted).toEqual(["two", "three", "one"]);
});
