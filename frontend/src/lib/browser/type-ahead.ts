const pauseMs = 800;

/** Collects the letters typed in quick succession, to jump to the next item that begins with them. */
export class TypeAhead {
  #typed = "";
  #lastMs = Number.NEGATIVE_INFINITY;

  /** The letters typed so far, in lower case. */
  get word(): string {
    return this.#typed;
  }

  /** Reports whether a word is being typed, so that the next letter or space belongs to it. */
  isActive(nowMs = Date.now()): boolean {
    return this.#typed !== "" && nowMs - this.#lastMs <= pauseMs;
  }

  /**
   * Adds a letter and returns the index to jump to, searched from `at` on and from the start after the end; -1 if
   * nothing matches. `matches` reports whether the item at an index begins with a word in lower case. The same letter
   * again moves to the next match.
   */
  type(
    letter: string,
    count: number,
    at: number,
    matches: (index: number, word: string) => boolean,
    nowMs = Date.now(),
  ): number {
    const key = letter.toLowerCase();
    const again = this.isActive(nowMs) && [...this.#typed].every((typed) => typed === key);
    this.#typed = this.isActive(nowMs) ? this.#typed + key : key;
    this.#lastMs = nowMs;
    const word = again ? key : this.#typed;
    // A longer word may still match the current item; a single letter moves on.
    const start = word.length === 1 ? at + 1 : Math.max(at, 0);
    for (let step = 0; step < count; step++) {
      const index = (start + step) % count;
      if (matches(index, word)) return index;
    }
    return -1;
  }
}
