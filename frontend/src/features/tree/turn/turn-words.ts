// What turns say: read in small portions as they come into sight, because a tree may have half a million of them.

import { api, type Turn } from "@/lib/api/api";
import { createStore } from "@/lib/store/store";
import { isPart, type Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";

/** So many turns are asked for at once, */
const portion = 200;
/** and kept at most. */
const kept = 20_000;
/** After an answer that failed the next one is asked for so much later. */
const pauseMs = 2000;

/** Names a turn, or a part of a divided one, for as long as the tree only grows. Beyond any tree's depth in one number. */
function keyOf(number: number, firstDepth: number): number {
  return number * 2 ** 24 + firstDepth;
}

/** The words of one tree's turns. */
export class TurnWords {
  /** By keyOf: indices shift when an older turn is divided. */
  readonly #turns = new Map<number, Turn>();
  /** A number that changes when words arrive. */
  readonly version = createStore(0);
  #wanted = new Set<number>();
  #tree: Tree;
  #isAsking = false;
  #authors: readonly string[] = [];

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** The agents of a session that has several, in the order of their colors. */
  get authors(): readonly string[] {
    return this.#authors;
  }

  setAuthors(authors: readonly string[]): void {
    if (this.#authors === authors) return;
    this.#authors = authors;
    // Other objects, so that what is drawn with the colors is drawn again.
    for (const [key, turn] of this.#turns) if (turn.authors) this.#turns.set(key, { ...turn });
    this.version.set(this.version.get() + 1);
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
    const key = this.#keyOf(turn);
    const found = this.#turns.get(key);
    // One that was read before it was divided holds the words of its other parts.
    if (!found || (this.#isPart(turn) && !this.#isCurrent(turn))) return undefined;
    const label = this.#tree.labels.get(turn) ?? "";
    if (found.label === label) return found;
    const relabelled = { ...found, label };
    this.#turns.set(key, relabelled);
    return relabelled;
  }

  /** Asks for turns that are not here, the ones asked for last first. */
  want(turns: Iterable<number>): void {
    for (const turn of turns) {
      if (turn < 0 || turn >= this.#tree.skeleton.count || this.#isCurrent(turn)) continue;
      this.#wanted.delete(turn);
      this.#wanted.add(turn);
    }
    if (!this.#isAsking && this.#wanted.size > 0) void this.#ask();
  }

  /** Reads one turn now. */
  async read(turn: number): Promise<Turn | undefined> {
    if (turn < 0 || turn >= this.#tree.skeleton.count) return undefined;
    if (!this.#isCurrent(turn)) this.#keep(await this.#load([turn]));
    return this.get(turn);
  }

  #keyOf(turn: number): number {
    const { number, firstDepth } = this.#tree.skeleton;
    return keyOf(int(number, turn), int(firstDepth, turn));
  }

  #isPart(turn: number): boolean {
    return isPart(this.#tree.skeleton, turn);
  }

  #isCurrent(turn: number): boolean {
    const here = this.#turns.get(this.#keyOf(turn))?.messages ?? -1;
    const messages = int(this.#tree.skeleton.messages, turn);
    return this.#isPart(turn) ? here === messages : here >= messages;
  }

  async #load(turns: readonly number[]): Promise<Turn[]> {
    const { sessionId, skeleton } = this.#tree;
    const { number, firstDepth, messages } = skeleton;
    const whole = turns.filter((turn) => !this.#isPart(turn)).map((turn) => int(number, turn));
    const parts = turns
      .filter((turn) => this.#isPart(turn))
      .map((turn) => ({
        turn: int(number, turn),
        from: int(firstDepth, turn),
        to: int(firstDepth, turn) + int(messages, turn) - 1,
      }));
    const found = await Promise.all([
      whole.length > 0 ? api.getTurns(sessionId, whole) : [],
      parts.length > 0 ? api.getTurnParts(sessionId, parts) : [],
    ]);
    return found.flat();
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
        this.#keep(await this.#load(next.filter((turn) => turn < this.#tree.skeleton.count)));
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
      const key = keyOf(turn.node, turn.firstDepth);
      this.#turns.delete(key);
      this.#turns.set(key, turn);
    }
    for (const turn of this.#turns.keys()) {
      if (this.#turns.size <= kept) break;
      this.#turns.delete(turn);
    }
    this.version.set(this.version.get() + 1);
  }
}
