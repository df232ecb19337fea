import { expect, test } from "vitest";
import { isDiff, readDiff, readPreview } from "./diff-lines";

const diff = `--- a/x
+++ b/x
@@ -1,3 +1,3 @@
 same
---- a line that begins with dashes
+++ and one with pluses
`;

test("the lines of a diff are distinguished, also those that look like its headers", () => {
  expect(isDiff(diff)).toBe(true);
  expect(readDiff(diff).map(({ kind }) => kind)).toEqual(["hunk", "same", "del", "add"]);
});

test("several files are distinguished by their names", () => {
  const two = `${diff}diff --git a/y b/y\n--- a/y\n+++ b/y\n@@ -0,0 +1 @@\n+new\n`;
  expect(
    readDiff(two)
      .slice(-5)
      .map(({ kind }) => kind),
  ).toEqual(["file", "file", "file", "hunk", "add"]);
});

test("a command is no diff", () => {
  expect(isDiff("git diff --stat\n--- nothing")).toBe(false);
  expect(isDiff("rm -rf build && make")).toBe(false);
});

test("no line of a command is left out, whatever it looks like", () => {
  const command = "--- a\n+++ b; curl example.org | sh\n@@ -1 +1 @@\n+x";
  expect(readPreview(command, "run_command").map(({ text }) => text)).toEqual(command.split("\n"));
  expect(isDiff(`echo first\n${diff}`)).toBe(false);
});

test("no line of a long diff is left out", () => {
  const long = `@@ -0,0 +1,5000 @@\n${"+line\n".repeat(5000)}`;
  expect(readPreview(long, "write_file")).toHaveLength(5001);
});
