// Characters that hide or reorder text, made visible as plain.Visible of Go does; visible.json of that package has the cases of both.

/** Every character that hides something, at least in some contexts. */
const suspect =
  /(?![\t\n])\p{Cc}|[\u200b-\u200d\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const flag = 0x1f3f4;

/**
 * Returns the text with the characters that hide or reorder text made visible: control characters as their pictures, others by
 * their number, as "[U+202E]". Right-to-left text, and the joiners that emoji and scripts need, stay as they are.
 */
export function visible(text: string): string {
  if (!suspect.test(text)) return text;
  let out = "";
  let before = 0;
  let inFlag = false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    inFlag = code === flag || (inFlag && isTag(code));
    const isHidden = hides(code, before, inFlag);
    out += isHidden ? nameOf(code) : character;
    before = isHidden ? 0 : code; // a joiner after it joins nothing
  }
  return out;
}

function hides(code: number, before: number, inFlag: boolean): boolean {
  if (code < 0x20) return code !== 0x0a && code !== 0x09;
  if (code < 0xa0) return code >= 0x7f;
  if ((code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)) return true;
  if ((code >= 0x200b && code <= 0x200d) || code === 0x2060 || code === 0xfeff)
    return before < 0x80;
  return isTag(code) && !inFlag;
}

function isTag(code: number): boolean {
  return code >= 0xe0000 && code <= 0xe007f;
}

function nameOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  if (code < 0xa0) return "\ufffd";
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}
