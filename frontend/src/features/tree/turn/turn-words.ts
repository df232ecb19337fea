// What turns say: read in small portions as they come into sight, because a tree may have half a million of them.

import { api, type Turn } from "@/lib/api/api";
import { createStore } from "@/lib/store/store";
import type { Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";

/** So many turns are asked for at once, */
const portion = 200;
/** and kept at most. */
const kept = 20_000;
/** After an answer that failed the next one is asked for so much later. */
const pauseMs = 2000;

/** The words of one tree's turns. */
export class TurnWords {
  readonly #turns = new Map<number, Turn>();
  /** A number that changes when words arrive. */
  readonly version = createStore(0);
  #wanted = new Set<number>();
  #tree: Tree;
  #isAsking = false;

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Takes a tree that has grown, or was changed; words that may have changed are read again when they are needed. */
  setTree(tree: Tree): void {
    const { reshapes } = this.#tree;
    this.#tree = tree;
    if (reshapes !== tree.reshapes) this.#turns.clear();
  }

  /**
   * A turn with its words, the same object until they are others; undefined where they are not here yet. One that has grown
   * since keeps its old end until it is read again.
   */
  get(turn: number): Turn | undefined {
    const found = this.#turns.get(turn);
    if (!found) return undefined;
    const label = this.#tree.labels.get(turn) ?? "";
    if (found.label === label) return found;
    const relabelled = { ...found, label };
    this.#turns.set(turn, relabelled);
    return relabelled;
  }

  /** Asks for turns that are not here, the ones asked for last first. */
  want(turns: Iterable<number>): void {
    for (const turn of turns) {
      if (this.#isCurrent(turn) || turn < 0 || turn >= this.#tree.skeleton.count) continue;
      this.#wanted.delete(turn);
      this.#wanted.add(turn);
    }
    if (!this.#isAsking && this.#wanted.size > 0) void this.#ask();
  }

  /** Reads one turn now. */
  async read(turn: number): Promise<Turn | undefined> {
    if (!this.#isCurrent(turn)) this.#keep(await api.getTurns(this.#tree.sessionId, [turn]));
    return this.get(turn);
  }

  #isCurrent(turn: number): boolean {
    return (this.#turns.get(turn)?.messages ?? -1) >= int(this.#tree.skeleton.messages, turn);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    // One turn of the event loop, so that all that a frame asks for goes together.
    await new Promise((wake) => setTimeout(wake));
    while (this.#wanted.size > 0) {
      const next = [...this.#wanted].slice(-portion);
      // What was asked for long before is out of sight by now.
      this.#wanted = new Set([...this.#wanted].slice(-5 * portion, -portion));
      try {
        this.#keep(await api.getTurns(this.#tree.sessionId, next));
      } catch {
        // The tree stays usable without words; they are asked for again when they are wanted again.
        this.#wanted.clear();
        await new Promise((wake) => setTimeout(wake, pauseMs));
      }
    }
    this.#isAsking = false;
  }

  #keep(turns: readonly Turn[]): void {
    for (const turn of turns) {
      this.#turns.delete(turn.node);
      this.#turns.set(turn.node, turn);
    }
    for (const turn of this.#turns.keys()) {
      if (this.#turns.size <= kept) break;
      this.#turns.delete(turn);
    }
    this.version.set(this.version.get() + 1);
  }
}
