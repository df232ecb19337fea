import { expect, test } from "vitest";
import { chordLabels, isTextField, matchesChord } from "./keys";

const press = (key: string, ...held: string[]) => ({
  key,
  ctrlKey: held.includes("ctrl"),
  metaKey: held.includes("meta"),
  altKey: held.includes("alt"),
  shiftKey: held.includes("shift"),
});

test.each([
  ["Mod+K", press("k", "ctrl"), true],
  ["Mod+K", press("K", "ctrl"), true],
  ["Mod+K", press("k"), false],
  ["Mod+K", press("k", "ctrl", "shift"), false],
  ["Mod+K", press("k", "ctrl", "alt"), false],
  ["Mod+Shift+F", press("F", "ctrl", "shift"), true],
  ["Mod+?", press("?", "ctrl", "shift"), true],
  ["Mod+Plus", press("+", "ctrl", "shift"), true],
  ["Mod+Plus", press("+", "ctrl"), true],
  ["Mod+Minus", press("-", "ctrl"), true],
  ["Space", press(" "), true],
  ["Space", press(" ", "shift"), false],
  ["F6", press("F6"), true],
  ["Shift+F6", press("F6", "shift"), true],
  ["F6", press("F6", "shift"), false],
  ["Alt+ArrowUp", press("ArrowUp", "alt"), true],
])("%s, pressed %o: %s", (chord, event, matches) => {
  expect(matchesChord(event, chord)).toBe(matches);
});

test("a chord is written as on the keyboard", () => {
  expect(chordLabels("Mod+Shift+f")).toEqual(["Ctrl", "Shift", "F"]);
  expect(chordLabels("Mod+Plus")).toEqual(["Ctrl", "+"]);
  expect(chordLabels("Alt+ArrowUp")).toEqual(["Alt", "↑"]);
});

test("text is typed in fields, not on buttons", () => {
  const input = document.createElement("input");
  expect(isTextField(input)).toBe(true);
  input.type = "checkbox";
  expect(isTextField(input)).toBe(false);
  expect(isTextField(document.createElement("textarea"))).toBe(true);
  expect(isTextField(document.createElement("button"))).toBe(false);
  expect(isTextField(null)).toBe(false);
});
