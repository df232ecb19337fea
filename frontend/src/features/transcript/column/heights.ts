/**
 * The heights of the rows of a path, most of them estimated until the row was on screen once. A
 * Fenwick tree over what differs from the estimate: setting a height, the top of a row and the row
 * at a place all cost the logarithm of the length.
 */
export class Heights {
  readonly length: number;
  readonly #estimate: number;
  /** sums[i] adds up the differences of the rows that the Fenwick node i covers. */
  readonly #sums: Float64Array;
  readonly #known = new Map<number, number>();

  constructor(length: number, estimate: number) {
    this.length = length;
    this.#estimate = estimate;
    this.#sums = new Float64Array(length + 1);
  }

  /** All rows together. */
  get total(): number {
    return this.top(this.length);
  }

  /** Reports whether the row was measured. */
  isKnown(index: number): boolean {
    return this.#known.has(index);
  }

  /** The height of a row, or the estimate. */
  of(index: number): number {
    return this.#known.get(index) ?? this.#estimate;
  }

  /** Remembers a measured height; 0 for a row that is not shown. */
  set(index: number, height: number): void {
    if (index < 0 || index >= this.length) return;
    const difference = height - this.of(index);
    this.#known.set(index, height);
    if (difference === 0) return;
    for (let node = index + 1; node <= this.length; node += node & -node)
      this.#sums[node] = this.#at(node) + difference;
  }

  /** Where a row begins, from the top of the first one. */
  top(index: number): number {
    let sum = Math.min(index, this.length) * this.#estimate;
    for (let node = Math.min(index, this.length); node > 0; node -= node & -node)
      sum += this.#at(node);
    return sum;
  }

  /** The row that covers a place; the first or the last one where it is outside. */
  indexAt(place: number): number {
    let passed = 0;
    let rest = place;
    let step = 1;
    while (step * 2 <= this.length) step *= 2;
    for (; step >= 1; step /= 2) {
      const node = passed + step;
      if (node > this.length) continue;
      const covered = this.#at(node) + step * this.#estimate;
      if (covered > rest) continue;
      passed = node;
      rest -= covered;
    }
    return Math.max(0, Math.min(passed, this.length - 1));
  }

  /** The same heights for a path of another length that shares the first `shared` rows with this one. */
  forPath(length: number, shared: number): Heights {
    const heights = new Heights(length, this.#estimate);
    for (const [index, height] of this.#known) if (index < shared) heights.set(index, height);
    return heights;
  }

  #at(node: number): number {
    return this.#sums[node] ?? 0;
  }
}
