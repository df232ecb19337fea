// A session's tree without its texts, as columns, read from the format of app/window/skeleton.go.

import { ApiError } from "@/lib/api/api";

/** Bits of a turn's flags. */
export const prompt = 1;
export const tools = 2;
export const compacted = 4;
export const priced = 8;
export const labelled = 128;
const runShift = 4;
const runBits = 7;

/** The states of the run that began with a turn, by its number in the flags. */
const runStatuses = ["", "running", "success", "partial", "failed", "interrupted", "hibernated"];

/** The status of the run that began with a turn of these flags; empty if none did. */
export function runStatus(flags: number): string {
  return runStatuses[(flags >> runShift) & runBits] ?? "";
}

/**
 * The turns of a tree as columns; a turn is its index, and follows the turn before it on its path. A turn that Go has divided,
 * because a branch begins between its messages, is several turns here: a prompt with three answers has three children.
 */
export interface Skeleton {
  count: number;
  /** Turn → its number, n4, which all parts of a divided turn share. */
  number: Int32Array;
  /** Turn → the number of the turn before it, as Go has it. */
  parentNumber: Int32Array;
  /** Turn → the turn before it on its path; -1 for a first one. */
  parent: Int32Array;
  /** Turn → its branch. */
  branch: Int32Array;
  /** Turn → the depth of its first message. */
  firstDepth: Int32Array;
  /** Turn → how many messages it has. */
  messages: Int32Array;
  /** Turn → input and output tokens. */
  tokens: Int32Array;
  /** Turn → bits: prompt, tools, compacted, priced, the run, labelled. */
  flags: Uint8Array;
  /** Turn → 1 if it is in the trash. */
  hidden: Uint8Array;
  costNanoUsd: Float64Array;
  /** Turn → the list price of the answers whose cost is unknown; 0: none has one. */
  estimatedCostNanoUsd: Float64Array;
  createdAtMs: Float64Array;
}

/** A session's tree. It is immutable: a tree that has grown is another object. */
export interface Tree {
  sessionId: string;
  skeleton: Skeleton;
  branchCount: number;
  messageCount: number;
  /** The uid of the head; empty before the first message. */
  head: string;
  /** The turn, or part of a divided one, that holds the head; -1 before the first message. */
  headTurn: number;
  labels: ReadonlyMap<number, string>;
  /** Turn → the color of its label. */
  colors: ReadonlyMap<number, string>;
  bookmarks: ReadonlySet<number>;
  /** Turn → how many files were stored in a checkpoint before it; 0: unknown. Turns without a checkpoint are left out. */
  checkpoints: ReadonlyMap<number, number>;
  /** The last turn of the main path; -1: no path is marked as the main one. */
  mainTurn: number;
  /** Turn → 1 if it is in the trash; the skeleton hides it unless the trash is shown. */
  inTrash: Uint8Array;
  /** How often the tree was changed other than by growing. */
  reshapes: number;
}

/** An empty tree. */
export function emptySkeleton(count: number): Skeleton {
  return {
    count,
    number: Int32Array.from({ length: count }, (_, turn) => turn),
    parentNumber: new Int32Array(count),
    parent: new Int32Array(count),
    branch: new Int32Array(count),
    firstDepth: new Int32Array(count),
    messages: new Int32Array(count),
    tokens: new Int32Array(count),
    flags: new Uint8Array(count),
    hidden: new Uint8Array(count),
    costNanoUsd: new Float64Array(count),
    estimatedCostNanoUsd: new Float64Array(count),
    createdAtMs: new Float64Array(count),
  };
}

const magic = "CSK3";
const headBytes = 40;

/** Reads a tree from Go's bytes; if they are only an increment, on top of the tree `before`, which is not changed. */
export function readSkeleton(sessionId: string, bytes: ArrayBuffer, before?: Tree): Tree {
  const head = new DataView(bytes, 0, headBytes);
  if (new TextDecoder().decode(bytes.slice(0, 4)) !== magic)
    throw new ApiError("corrupt", "the tree came in a form that this window cannot read");
  const number = (place: number) => head.getInt32(4 + 4 * place, true);
  const [changed, count, tailBytes] = [number(0), number(1), number(7)];
  const isWhole = number(6) === 1;
  const { columns, end } = readColumns(bytes, changed);
  const tail = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, end, tailBytes))) as {
    head: string;
    labels: { turn: number; text: string; color: string }[];
    bookmarks: number[];
    checkpoints: { turn: number; fileCount: number }[];
    main: number;
    hidden: Top[];
  };
  const whole = withParents(isWhole ? columns : grow(before?.skeleton, columns, count), count);
  const at = (turn: number, depth = -1) => partAt(whole, turn, depth);
  const inTrash = hiddenTurns(whole, tail.hidden);
  return {
    sessionId,
    inTrash,
    skeleton: withLabels(
      { ...whole, hidden: inTrash },
      tail.labels.map(({ turn }) => at(turn)),
    ),
    branchCount: number(2),
    messageCount: number(3),
    head: tail.head,
    headTurn: at(number(4), number(8)),
    labels: new Map(tail.labels.map(({ turn, text }) => [at(turn), text])),
    colors: new Map(tail.labels.flatMap(({ turn, color }) => (color ? [[at(turn), color]] : []))),
    bookmarks: new Set(tail.bookmarks.map((turn) => at(turn))),
    checkpoints: new Map(tail.checkpoints.map(({ turn, fileCount }) => [at(turn), fileCount])),
    mainTurn: at(tail.main, Number.POSITIVE_INFINITY),
    reshapes: number(5),
  };
}

/** The message at the top of a subtree in the trash. */
interface Top {
  branch: number;
  depth: number;
}

/** Turn → 1 if its first message is in the trash: at the top of a subtree there or below one. */
function hiddenTurns(columns: Skeleton, tops: readonly Top[]): Uint8Array {
  const hidden = new Uint8Array(columns.count);
  if (tops.length === 0) return hidden;
  const from = new Map<number, number>();
  for (const { branch, depth } of tops)
    from.set(branch, Math.min(depth, from.get(branch) ?? depth));
  for (let turn = 0; turn < columns.count; turn++) {
    const first = columns.firstDepth[turn] as number;
    const branch = columns.branch[turn] as number;
    const above = parentOf(columns, turn);
    const forkedOff = above >= 0 && columns.branch[above] !== branch;
    // A branch that forks off a message in the trash is in it, though its turn may have begun before.
    const hangsOn = forkedOff ? (from.get(columns.branch[above] as number) ?? first) : first;
    if (
      first >= (from.get(branch) ?? first + 1) ||
      (above >= 0 && hidden[above]) ||
      hangsOn < first
    )
      hidden[turn] = 1;
    if (hidden[turn] && !from.has(branch)) from.set(branch, first);
  }
  return hidden;
}

function readColumns(bytes: ArrayBuffer, count: number): { columns: Skeleton; end: number } {
  let at = headBytes;
  const next = (width: number) => {
    at += width * count;
    return at - width * count;
  };
  const ints = () => new Int32Array(bytes, next(4), count);
  const floats = () => new Float64Array(bytes, next(8), count);
  const columns = {
    count,
    createdAtMs: floats(),
    costNanoUsd: floats(),
    estimatedCostNanoUsd: floats(),
    number: ints(),
    parentNumber: ints(),
    parent: new Int32Array(),
    branch: ints(),
    firstDepth: ints(),
    messages: ints(),
    tokens: ints(),
    flags: new Uint8Array(bytes, next(1), count),
    hidden: new Uint8Array(count),
  };
  return { columns, end: at };
}

const columnNames = [
  "number",
  "parentNumber",
  "branch",
  "firstDepth",
  "messages",
  "tokens",
  "flags",
  "costNanoUsd",
  "estimatedCostNanoUsd",
  "createdAtMs",
] as const;

/** The tree with the changed turns in place of what it had of them; all parts of a divided turn come together. */
function grow(before: Skeleton | undefined, changed: Skeleton, turnCount: number): Skeleton {
  const old = before ?? emptySkeleton(0);
  const first = changed.count > 0 ? (changed.number[0] as number) : turnCount;
  const same = firstRow(old, first);
  // The rows of the grown tree from the first one that changes: those of `old`, and from `old.count` on those of `changed`.
  const rows: number[] = [];
  let [oldRow, newRow] = [same, 0];
  for (let turn = first; turn < turnCount; turn++) {
    const isChanged = changed.number[newRow] === turn;
    for (; oldRow < old.count && old.number[oldRow] === turn; oldRow++)
      if (!isChanged) rows.push(oldRow);
    for (; newRow < changed.count && changed.number[newRow] === turn; newRow++)
      rows.push(old.count + newRow);
  }
  const grown = emptySkeleton(same + rows.length);
  for (const name of columnNames) {
    const [from, more, to] = [old[name], changed[name], grown[name]];
    to.set(from.subarray(0, same));
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place] as number;
      to[same + place] = (row < old.count ? from[row] : more[row - old.count]) as number;
    }
  }
  return grown;
}

/** The columns with `parent`: of the parts of a divided turn each follows the one before it, and a branch follows the part that it begins in. */
function withParents(columns: Skeleton, turnCount: number): Skeleton {
  const { count, number, parentNumber, firstDepth } = columns;
  if (count === turnCount) return { ...columns, parent: parentNumber };
  const parent = new Int32Array(count);
  const start = new Int32Array(turnCount);
  for (let turn = 0; turn < count; turn++) {
    const own = number[turn] as number;
    if (turn > 0 && number[turn - 1] === own) {
      parent[turn] = turn - 1;
      continue;
    }
    start[own] = turn;
    const above = parentNumber[turn] as number;
    let at = above < 0 ? -1 : (start[above] as number);
    while (
      at >= 0 &&
      number[at + 1] === above &&
      (firstDepth[at + 1] as number) < (firstDepth[turn] as number)
    )
      at++;
    parent[turn] = at;
  }
  return { ...columns, parent };
}

/** The turn with a number; of a divided one the part that has the depth, the first one if none is given. -1 without such a turn. */
export function partAt(skeleton: Skeleton, wanted: number, depth = -1): number {
  const { number, firstDepth } = skeleton;
  let at = firstRow(skeleton, wanted);
  if (wanted < 0 || number[at] !== wanted) return -1;
  while (number[at + 1] === wanted && (firstDepth[at + 1] as number) <= depth) at++;
  return at;
}

/** The first turn whose number is not less than the wanted one. */
function firstRow({ count, number }: Skeleton, wanted: number): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((number[middle] as number) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Whether a turn is a part of a divided one. */
export function isPart({ number }: Skeleton, turn: number): boolean {
  return number[turn - 1] === number[turn] || number[turn + 1] === number[turn];
}

/** The skeleton with these turns, and no others, marked as labelled. */
function withLabels(skeleton: Skeleton, turns: Iterable<number>): Skeleton {
  const flags = skeleton.flags.slice();
  for (let turn = 0; turn < flags.length; turn++) flags[turn] = (flags[turn] as number) & ~labelled;
  for (const turn of turns) flags[turn] = (flags[turn] ?? 0) | labelled;
  return { ...skeleton, flags };
}

/** The tree with another label on a turn; an empty text removes the label. */
export function relabel(tree: Tree, turn: number, text: string, color: string): Tree {
  const labels = new Map(tree.labels);
  if (text === "") labels.delete(turn);
  else labels.set(turn, text);
  const colors = new Map(tree.colors);
  if (text === "" || color === "") colors.delete(turn);
  else colors.set(turn, color);
  return { ...tree, labels, colors, skeleton: withLabels(tree.skeleton, labels.keys()) };
}

/** The tree with the contents of the trash shown. */
export function withTrash(tree: Tree): Tree {
  const hidden = new Uint8Array(tree.skeleton.count);
  return { ...tree, skeleton: { ...tree.skeleton, hidden } };
}

/** The turn before; -1 for a first one, and for a parent that does not precede its child. */
export function parentOf({ parent }: Pick<Skeleton, "parent">, turn: number): number {
  const above = parent[turn] as number;
  return above < turn ? above : -1;
}

/** How many messages a path has up to the end of a turn. */
export function cumulative({ firstDepth, messages }: Skeleton, turn: number): number {
  return (firstDepth[turn] ?? 0) + (messages[turn] ?? 0);
}
