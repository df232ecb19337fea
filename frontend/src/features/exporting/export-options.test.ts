import { expect, test } from "vitest";
import { soundOptions, suggestedName, usualOptions } from "./export-options";

test.each([
  [["Refactor the auth module"], "html", "refactor-the-auth-module.html"],
  [["a/b\\c: <d>?"], "md", "a-b-c-d.md"],
  [["会话存储"], "json", "会话存储.json"],
  [["..."], "md", "session.md"],
  [[""], "md", "session.md"],
  [["con"], "md", "con-session.md"],
  [["a", "b"], "json", "coppice-2-sessions.json"],
  [["a", "b"], "md", "coppice-2-sessions"],
  [["x".repeat(500)], "md", `${"x".repeat(60)}.md`],
] as const)("%j as %s is written to %s", (titles, format, name) => {
  expect(suggestedName(titles, format)).toBe(name);
});

test("a scope that the format does not have becomes the tree", () => {
  expect(soundOptions({ format: "json", scope: "alternatives" }).scope).toBe("tree");
  expect(soundOptions({ format: "md", scope: "alternatives" }).scope).toBe("alternatives");
  expect(soundOptions({ format: "md", detail: "prompts" }).detail).toBe("prompts");
  expect(soundOptions({ format: "json", detail: "prompts" }).detail).toBe("full");
  expect(soundOptions({ format: "md", detail: "half" as never }).detail).toBe("full");
  expect(soundOptions({ format: "pdf" as never })).toEqual(usualOptions);
});
