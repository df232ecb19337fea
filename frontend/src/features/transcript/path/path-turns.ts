import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** A turn on the path on screen. */
export interface TurnOnPath {
  sessionId: string;
  leafUid: string;
  /** Its number in the session. */
  number: number;
  from: number;
  count: number;
}

/** Where the turns of a path begin. The index of a turn on a path is its place, from 0. */
export class PathTurns {
  /** The number of each turn in its session: n<number>. */
  readonly numbers: readonly number[];
  /** The depth of each turn's first message, and at last the length of the path. */
  readonly #starts: readonly number[];

  constructor(steps: readonly number[], counts: readonly number[]) {
    const numbers: number[] = [];
    const starts = [0];
    let number = 0;
    let start = 0;
    steps.forEach((step, at) => {
      number += step;
      start += counts[at] ?? 0;
      numbers.push(number);
      starts.push(start);
    });
    this.numbers = numbers;
    this.#starts = starts;
  }

  get length(): number {
    return this.numbers.length;
  }

  /** The depth of the first message of a turn; of the turn after the last, the length of the path. */
  start(place: number): number {
    return this.#starts[Math.max(0, Math.min(place, this.length))] ?? 0;
  }

  count(place: number): number {
    return this.start(place + 1) - this.start(place);
  }

  /** The place of the turn that a message belongs to, by its depth; -1 for a path without messages. */
  at(depth: number): number {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start(middle) <= depth) low = middle;
      else high = middle - 1;
    }
    return high;
  }

  /** How many turns at the beginning of two paths are the same. */
  shared(other: PathTurns): number {
    const most = Math.min(this.length, other.length);
    let place = 0;
    while (
      place < most &&
      this.numbers[place] === other.numbers[place] &&
      this.count(place) === other.count(place)
    )
      place++;
    return place;
  }
}

/** The turns of a path; while another path loads, those of the path before. */
export function usePathTurns(sessionId: string, leafUid: string) {
  return useQuery({
    queryKey: keys.digest(sessionId, leafUid, "turns"),
    queryFn: async () => {
      const { steps, counts } = await api.getPathTurns(sessionId, leafUid);
      return new PathTurns(steps, counts);
    },
    placeholderData: (before) => before,
    structuralSharing: false,
  });
}
