import { expect, test } from "vitest";
import { showHidden } from "./hidden";

const words = (text: string) =>
  showHidden(text)
    .map(({ text, hidden }) => (hidden ? `<${text}>` : text))
    .join("");

test.each([
  ["go test ./...\n\tdone", "go test ./...\n<→   >done"],
  ["héllo 日本語 🌱", "héllo 日本語 🌱"],
  ["ls\u202e gpj.sj", "ls<U+202E> gpj.sj"],
  ["rm\u00a0-rf", "rm<U+00A0>-rf"],
  ["a\u200bb\ufeff", "a<U+200B>b<U+FEFF>"],
  ["echo \u001b[2K\rls", "echo <U+001B>[2K<U+000D>ls"],
  ["python3 x #\recho ok", "python3 x #<U+000D>echo ok"],
  ["# \u001b]\npython3 x\n# \u0007\nls", "# <U+001B>]\npython3 x\n# <U+0007>\nls"],
  ["a\u0085b\u2028c\u2029d\ufe0fe", "a<U+0085>b<U+2028>c<U+2029>d<U+FE0F>e"],
  ["", ""],
])("%j", (text, shown) => {
  expect(words(text)).toBe(shown);
});
