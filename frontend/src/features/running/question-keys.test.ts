import { expect, test } from "vitest";
import { actOfKey, offersOf } from "./question-keys";

const plain = { risk: "", wider: ["every command that begins with go test"], inWorkspace: false };
const press = (key: string, held: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...held,
});

test.each([
  ["y", { allow: "once" }],
  ["s", { allow: "session" }],
  ["W", { allow: "workspace" }],
  ["a", { allow: "always" }],
  ["n", "deny"],
  ["x", "wider"],
  ["q", undefined],
  ["Enter", undefined],
])("%s", (key, act) => {
  expect(actOfKey(press(key), plain)).toEqual(act);
});

test("a key that is held with another one is not for the card", () => {
  expect(actOfKey(press("a", { ctrlKey: true }), plain)).toBeUndefined();
});

test("a call with a risk is allowed once or not at all", () => {
  const risky = { ...plain, risk: "it reaches outside of the workspace" };
  expect(offersOf(risky).map(({ scope }) => scope)).toEqual(["once"]);
  const files = offersOf({ risk: "", inWorkspace: true }).map(({ scope }) => scope);
  expect(files).toEqual(["once", "session", "workspace"]);
  expect(actOfKey(press("s"), risky)).toBeUndefined();
  expect(actOfKey(press("x"), risky)).toBeUndefined();
  expect(actOfKey(press("y"), risky)).toEqual({ allow: "once" });
});

test("nothing wider is chosen where nothing wider is offered", () => {
  expect(actOfKey(press("x"), { risk: "", wider: [], inWorkspace: false })).toBeUndefined();
});
