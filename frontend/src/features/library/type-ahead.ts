const pauseMs = 800;

/** Collects the letters typed in a row, to jump to a title. */
export class TypeAhead {
  #typed = "";
  #lastMs = 0;

  /**
   * Adds a letter and returns the index of the title to jump to, from `at` on and continuing at the start;
   * -1 for none. The same letter again moves to the next title with it.
   */
  type(letter: string, titles: readonly string[], at: number, nowMs = Date.now()): number {
    const fresh = nowMs - this.#lastMs > pauseMs;
    this.#lastMs = nowMs;
    this.#typed = (fresh ? "" : this.#typed) + letter.toLowerCase();
    const repeated = new Set(this.#typed).size === 1;
    const wanted = repeated ? letter.toLowerCase() : this.#typed;
    // A longer word may still match the current title; a single letter moves on.
    const start = wanted.length === 1 ? at + 1 : Math.max(at, 0);
    for (let step = 0; step < titles.length; step++) {
      const index = (start + step) % titles.length;
      if (titles[index]?.toLowerCase().startsWith(wanted)) return index;
    }
    return -1;
  }

  /** Reports whether a word is being typed, so that a space belongs to it. */
  active(nowMs = Date.now()): boolean {
    return this.#typed !== "" && nowMs - this.#lastMs <= pauseMs;
  }
}
