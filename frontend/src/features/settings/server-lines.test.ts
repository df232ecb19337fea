import { expect, test } from "vitest";
import { fromLines, joinArguments, splitArguments, toLines } from "./server-lines";

test.each([
  [{}, ""],
  [{ TOKEN: "a=b", HOST: "" }, "TOKEN=a=b\nHOST="],
])("values %j are the lines %j", (values, lines) => {
  expect(toLines(values)).toBe(lines);
  expect(fromLines(lines)).toEqual(values);
});

test("lines are read as they are typed", () => {
  expect(fromLines(" A = x y \n\n=lost\nB")).toEqual({ A: "x y", B: "" });
});

test.each([
  ["", []],
  ["-y  @scope/server", ["-y", "@scope/server"]],
  [`run "two words" 'it"s' ""`, ["run", "two words", 'it"s', ""]],
])("%j are the arguments %j", (text, args) => {
  expect(splitArguments(text)).toEqual(args);
});

test.each([[["a", "b c", 'say "x"', "back\\slash and space", "", "it's"]], [[]]])(
  "%j come back",
  (args) => {
    expect(splitArguments(joinArguments(args))).toEqual(args);
  },
);
