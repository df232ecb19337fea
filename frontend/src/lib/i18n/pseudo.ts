// The pseudo-locale: English with accents, a third longer and in brackets. A text on screen without them is not in the catalogue.

const accents: Record<string, string> = {
  a: "á",
  b: "ƀ",
  c: "ç",
  d: "ð",
  e: "é",
  f: "ƒ",
  g: "ĝ",
  h: "ĥ",
  i: "í",
  j: "ĵ",
  k: "ķ",
  l: "ļ",
  m: "ɱ",
  n: "ñ",
  o: "ó",
  p: "þ",
  q: "ɋ",
  r: "ŕ",
  s: "š",
  t: "ţ",
  u: "ú",
  v: "ṽ",
  w: "ŵ",
  x: "ẋ",
  y: "ý",
  z: "ž",
  A: "Á",
  B: "Ɓ",
  C: "Ç",
  D: "Ð",
  E: "É",
  F: "Ƒ",
  G: "Ĝ",
  H: "Ĥ",
  I: "Í",
  J: "Ĵ",
  K: "Ķ",
  L: "Ļ",
  M: "Ṁ",
  N: "Ñ",
  O: "Ó",
  P: "Þ",
  Q: "Ɋ",
  R: "Ŕ",
  S: "Š",
  T: "Ţ",
  U: "Ú",
  V: "Ṽ",
  W: "Ŵ",
  X: "Ẋ",
  Y: "Ý",
  Z: "Ž",
};

/** Returns the pseudo-translation of a text. Placeholders and marks of parts, as in "{{name}}" and "<key>", stay. */
export function pseudo(text: string): string {
  const altered = text.replace(
    /\{\{.*?\}\}|<\/?\w+\/?>|[A-Za-z]/g,
    (found) => accents[found] ?? found,
  );
  const longer = "~".repeat(Math.ceil(text.length * 0.3));
  // In pieces, as the words of a longer language are.
  return `⟦${altered}${longer.replace(/~{6}(?=~)/g, "$& ")}⟧`;
}
