/** How many colors the palette has for authors: those of the lanes. */
const colors = 8;

/** Returns the number of an author's color, from 1: by the place in the list of the session's authors, so that two have the same one only
 * if there are more than colors; of an author who is not listed by the name. */
export function authorLane(name: string, authors: readonly string[]): number {
  const at = authors.indexOf(name);
  return 1 + (at >= 0 ? at % colors : hashOf(name) % colors);
}

/** Returns an author's color as a value of CSS. */
export function authorColor(name: string, authors: readonly string[]): string {
  return `var(--lane-${authorLane(name, authors)})`;
}

function hashOf(text: string): number {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0;
  return hash;
}
