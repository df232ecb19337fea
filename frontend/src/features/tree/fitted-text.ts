/** Cuts texts to a width with an ellipsis and keeps the results, so that a frame measures nothing it has seen before. */
export class FittedText {
  readonly #cut = new Map<string, string>();
  #key = "";

  /** The text, or as much of it as fits, in the context's font. `key` names the text; the same key has the same text. */
  fit(context: CanvasRenderingContext2D, key: string, text: string, width: number): string {
    // Widths are rounded, so that a zoom does not measure everything anew in each of its frames.
    const room = Math.floor(width / 8) * 8;
    const style = `${context.font} ${room}`;
    if (style !== this.#key || this.#cut.size > 5000) this.#cut.clear();
    this.#key = style;
    const known = this.#cut.get(key);
    if (known !== undefined) return known;
    const cut = cutText(text, room, (part) => context.measureText(part).width);
    this.#cut.set(key, cut);
    return cut;
  }
}

/** The longest beginning that fits with an ellipsis; all of the text where that fits; empty where nothing does. */
export function cutText(text: string, room: number, measure: (text: string) => number): string {
  if (measure(text) <= room) return text;
  const letters = [...text];
  let fits = 0;
  let tooLong = letters.length;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (measure(`${letters.slice(0, middle).join("").trimEnd()}…`) <= room) fits = middle;
    else tooLong = middle;
  }
  return fits === 0 ? "" : `${letters.slice(0, fits).join("").trimEnd()}…`;
}
