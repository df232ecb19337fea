import { expect, test } from "vitest";
import { fileFilter, typedFile } from "./file-suggestions";

test.each([
  ["file:ma", { before: "", name: "ma" }],
  ["fix file:ma", { before: "fix ", name: "ma" }],
  ['file:"ma', { before: "", name: "ma" }],
  ["file:", undefined],
  ["file:main.go ", undefined],
  ["profile:ma", undefined],
])("the name of a file at the end of %s", (query, want) => {
  expect(typedFile(query)).toEqual(want);
});

test("a name with a space is quoted", () => {
  expect(fileFilter("my notes.md")).toBe('file:"my notes.md"');
  expect(fileFilter("main.go")).toBe("file:main.go");
});
