// Characters that a person does not see, but that a shell or a compiler does.

/** A piece of a text. `hidden` means that it names a character that would not be seen, or a tab. */
export interface Piece {
  text: string;
  hidden: false | "character" | "tab";
}

/** What a tab is shown as, here and in the terminal. */
const tab = "→   ";

/** Controls but line feed, formats such as those that turn the direction of writing, and blanks that look like another one. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\u3164\uffa0\u115f\u1160]|\u034f|\u17b4|\u17b5|\p{Variation_Selector}/u;

/** Divides a text so that what would not be seen is named: "U+202E", and a tab is an arrow. */
export function showHidden(text: string): Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  for (const sign of text) {
    if (sign === "\n" || !unseen.test(sign)) {
      plain += sign;
      continue;
    }
    if (plain !== "") pieces.push({ text: plain, hidden: false });
    plain = "";
    pieces.push(
      sign === "\t" ? { text: tab, hidden: "tab" } : { text: nameOf(sign), hidden: "character" },
    );
  }
  if (plain !== "") pieces.push({ text: plain, hidden: false });
  return pieces;
}

function nameOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}
