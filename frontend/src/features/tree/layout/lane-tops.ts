/** Above every depth: the lane is empty. */
const empty = 0x7fffffff;

/** The depth at which each lane is taken first, so that a strand finds the nearest lane it fits above. O(log lanes) each. */
export class LaneTops {
  // A tree of maxima: node 1 is the whole, nodes 2n and 2n + 1 the halves of node n.
  readonly #tops: Int32Array;
  readonly #half: number;

  constructor(lanes: number) {
    // Counted up, because a power is no integer to every engine, and what is added to it none either.
    let half = 2;
    while (half < lanes) half *= 2;
    this.#half = half;
    this.#tops = new Int32Array(2 * this.#half).fill(empty);
  }

  /** Says that the lane is taken from the depth on. */
  put(lane: number, depth: number): void {
    const tops = this.#tops;
    let node = this.#half + lane;
    tops[node] = depth;
    for (node >>= 1; node >= 1; node >>= 1) {
      const left = tops[2 * node] as number;
      const right = tops[2 * node + 1] as number;
      const top = left > right ? left : right;
      if (top === tops[node]) return;
      tops[node] = top;
    }
  }

  /** The first lane right of `after` that is free down to the depth. There always is one. */
  find(after: number, depth: number): number {
    const tops = this.#tops;
    // Up until a part lies right of it that has room, then down to that part's first such lane.
    let node = this.#half + after;
    while ((node & 1) === 1 || (tops[node + 1] as number) <= depth) node >>= 1;
    node++;
    while (node < this.#half) {
      node <<= 1;
      if ((tops[node] as number) <= depth) node++;
    }
    return node - this.#half;
  }
}
