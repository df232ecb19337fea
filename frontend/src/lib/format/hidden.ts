// Characters that a user does not see, but that a shell or a compiler reads.

/** A piece of a text. `hidden` means that it names a character that would be invisible, or a tab. */
export interface Piece {
  text: string;
  hidden: false | "character" | "tab";
}

/** How a tab is shown, here and in the terminal. */
const tab = "→   ";

/** Control characters except line feed, format characters such as those that change the direction of writing, and spaces that look like U+0020. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800\u3164\uffa0\u115f\u1160]|\u034f|\u17b4|\u17b5|\p{Variation_Selector}/u;

/** Divides a text so that invisible characters are named: "U+202E", and a tab is an arrow. */
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
