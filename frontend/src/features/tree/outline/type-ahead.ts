const pauseMs = 800;

/** Collects the letters typed in a row, to jump to the next thing that begins with them. */
export class TypeAhead {
  #typed = "";
  #lastMs = Number.NEGATIVE_INFINITY;

  /** What was typed in a row, in lower case. */
  get word(): string {
    return this.#typed;
  }

  /** Says whether a word is being typed, so that the next letter belongs to it. */
  isActive(nowMs = Date.now()): boolean {
    return this.#typed !== "" && nowMs - this.#lastMs <= pauseMs;
  }

  /**
   * Takes a letter and returns the index to jump to, from `at` on and round the end; -1 for none.
   * `matches` says whether the thing at an index begins with a word in lower case. The same letter again goes on.
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
    // A longer word may still fit where we are; a single letter goes on.
    const start = word.length === 1 ? at + 1 : Math.max(at, 0);
    for (let step = 0; step < count; step++) {
      const index = (start + step) % count;
      if (matches(index, word)) return index;
    }
    return -1;
  }
}
