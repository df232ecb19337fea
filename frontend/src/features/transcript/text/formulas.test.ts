import { expect, test } from "vitest";
import { texOf, typeset } from "./formulas";

test.each([
  ["$x^2$", "x^2"],
  ["$$x^2$$", "x^2"],
  ["$$\nx^2\n$$", "\nx^2\n"],
  ["\\(a_1\\)", "a_1"],
  ["\\[a\\]", "a"],
  ["x", "x"],
])("the source of %j is %j", (source, tex) => {
  expect(texOf(source)).toBe(tex);
});

function typesetCode(source: string): HTMLElement {
  const line = document.createElement("p");
  const code = document.createElement("code");
  code.className = "math";
  code.textContent = source;
  line.append(code);
  typeset(code);
  return line;
}

test("a formula is typeset in the place of its code", () => {
  const line = typesetCode("$\\frac{a}{b}$");
  expect(line.querySelector("code")).toBeNull();
  expect(line.querySelector(".formula .katex")).not.toBeNull();
  expect(line.querySelector<HTMLElement>(".formula")?.title).toBe("$\\frac{a}{b}$");
});

test.each([
  "$\\frac{1}{$",
  "$\\undefinedmacro x$",
  "$\\href{javascript:alert(1)}{x}$",
  "$\\htmlStyle{color:red}{x}$",
  "$\\includegraphics{https://e.org/a.png}$",
  "$\\def\\a{\\a\\a}\\a$",
])("%s stays code", (source) => {
  expect(typesetCode(source).querySelector("code")?.textContent).toBe(source);
});
