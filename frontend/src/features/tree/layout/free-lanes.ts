/** Hands out lanes from 1 on, the lowest free one first; lane 0 is the path's for good. */
export class FreeLanes {
  readonly #taken: boolean[] = [true];
  #lowest = 1;

  /** The highest lane ever taken. */
  get highest(): number {
    return this.#taken.length - 1;
  }

  take(): number {
    const lane = this.#lowest;
    this.#taken[lane] = true;
    do this.#lowest++;
    while (this.#taken[this.#lowest]);
    return lane;
  }

  release(lane: number): void {
    if (lane === 0) return;
    this.#taken[lane] = false;
    if (lane < this.#lowest) this.#lowest = lane;
  }
}
