/** So many results are kept of each kind. */
const most = 2000;

/** Cuts texts to a width with an ellipsis and keeps the results, so that a frame measures nothing it has seen before. */
export class FittedText {
  /** Font → width → text → what fits. */
  readonly #cuts = new Map<string, Map<number, Map<string, string>>>();

  /** The text, or as much of it as fits, in the context's font. */
  fit(context: CanvasRenderingContext2D, text: string, width: number): string {
    // Widths are rounded, so that a zoom does not measure everything again in each of its frames.
    const room = Math.floor(width / 8) * 8;
    if (room <= 0) return "";
    const cuts = this.#cutsOf(context.font, room);
    const known = cuts.get(text);
    if (known !== undefined) return known;
    const cut = cutText(text, room, (part) => context.measureText(part).width);
    cuts.set(text, cut);
    return cut;
  }

  #cutsOf(font: string, room: number): Map<string, string> {
    const byRoom = this.#cuts.get(font) ?? new Map<number, Map<string, string>>();
    const cuts = byRoom.get(room) ?? new Map<string, string>();
    if (cuts.size > most) cuts.clear();
    if (byRoom.size > most) byRoom.clear();
    this.#cuts.set(font, byRoom.set(room, cuts));
    return cuts;
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
