// Facts of turns that are read as turns come into sight, and stored by the number and the length of a turn: one that has
// grown is read again.

import { createStore } from "@/lib/store/store";
import { isPart, type Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";

/** After an answer that failed the next one is asked for so much later. */
const pauseMs = 2000;
/** So many turns are stored at most. */
const kept = 20_000;

/** A turn, or a part of a divided one, as Go asks for it: both ends -1 for a whole one. */
export interface Part {
  turn: number;
  from: number;
  to: number;
}

/** The part that a turn of the tree is. */
export function partOf({ skeleton }: Tree, turn: number): Part {
  const number = int(skeleton.number, turn);
  if (!isPart(skeleton, turn)) return { turn: number, from: -1, to: -1 };
  const from = int(skeleton.firstDepth, turn);
  return { turn: number, from, to: from + int(skeleton.messages, turn) - 1 };
}

/** Reads facts of turns, in the same order; undefined for a turn without any. */
type Load<T> = (tree: Tree, turns: readonly number[]) => Promise<(T | undefined)[]>;

/** Facts of one tree's turns. */
export class TurnFacts<T> {
  /** A number that changes when facts arrive. */
  readonly version = createStore(0);
  readonly #load: Load<T>;
  /** How many turns are read at once. */
  readonly #portion: number;
  readonly #facts = new Map<string, T | undefined>();
  #wanted: readonly number[] = [];
  #tree: Tree;
  #isAsking = false;

  constructor(tree: Tree, portion: number, load: Load<T>) {
    this.#tree = tree;
    this.#portion = portion;
    this.#load = load;
  }

  /** Takes a tree that has grown, or was changed. */
  setTree(tree: Tree): void {
    if (this.#tree.reshapes !== tree.reshapes) this.#facts.clear();
    this.#tree = tree;
  }

  /** The facts of a turn; undefined while they are not here. */
  get(turn: number): T | undefined {
    return this.#facts.get(this.#keyOf(turn));
  }

  /** Asks for turns, in this order, instead of those that were asked for before: they are out of sight. */
  want(turns: readonly number[]): void {
    this.#wanted = turns;
    if (!this.#isAsking && this.#next().length > 0) void this.#ask();
  }

  #keyOf(turn: number): string {
    const { number, firstDepth, messages } = this.#tree.skeleton;
    return `${number[turn]} ${firstDepth[turn]} ${messages[turn]}`;
  }

  #next(): number[] {
    // A set, because a turn may be asked for as a dot and as a card.
    const next = new Set<number>();
    for (const turn of this.#wanted) {
      if (turn < 0 || turn >= this.#tree.skeleton.count) continue;
      if (!this.#facts.has(this.#keyOf(turn))) next.add(turn);
      if (next.size === this.#portion) break;
    }
    return [...next];
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    // One turn of the event loop, so that all that a frame asks for goes together.
    await new Promise((wake) => setTimeout(wake));
    for (let next = this.#next(); next.length > 0; next = this.#next()) {
      try {
        const keys = next.map((turn) => this.#keyOf(turn));
        const found = await this.#load(this.#tree, next);
        for (let at = 0; at < keys.length; at++) this.#facts.set(keys[at] as string, found[at]);
        this.#forget();
        this.version.set(this.version.get() + 1);
      } catch {
        // The tree stays usable without them; they are asked for again when they are wanted again.
        this.#wanted = [];
        await new Promise((wake) => setTimeout(wake, pauseMs));
      }
    }
    this.#isAsking = false;
  }

  #forget(): void {
    for (const key of this.#facts.keys()) {
      if (this.#facts.size <= kept) break;
      this.#facts.delete(key);
    }
  }
}
