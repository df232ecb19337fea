import type { Block, MessageView } from "@/lib/api/api";
import type { TurnOnPath } from "./path-turns";

/** A block and the message it is of. */
export interface Card {
  message: MessageView;
  block: Block;
  /** It is shown in short: a long text folds to its first lines. */
  brief?: true;
}

/** What a row shows, in order: single blocks, and runs of calls that only looked at things. */
export type Item = { type: "block"; card: Card } | { type: "reads"; cards: Card[] };

/** What the steps of one header have used together; null where a step is not loaded or has no cost. */
export interface Totals {
  steps: number;
  inputTokens: number;
  outputTokens: number;
  costNanoUsd: number | null;
  /** The list price of the steps whose cost is unknown; null: none has one. */
  estimatedCostNanoUsd: number | null;
  /** Part of it is an estimate, of an answer that broke off. */
  isEstimated: boolean;
}

/** How one message of a path is shown. */
export interface Row {
  index: number;
  message: MessageView;
  look: "message" | "folded" | "summary";
  /** False: it continues the steps above it under their header. */
  header: boolean;
  totals: Totals | null;
  items: Item[];
  /** In the digest: the turn whose work is shown under the header. */
  turn?: TurnOnPath;
  /** Nothing is shown: hidden, or all of it is in the row `host`. */
  absent: boolean;
  /** The row that shows its content; mostly its own index. */
  host: number;
}

/** A range of a path and its neighbours, if they are loaded. */
export interface Page {
  from: number;
  messages: readonly MessageView[];
  /** The last message before the page that is shown; null at the path's start; undefined: not loaded. */
  before: MessageView | null | undefined;
  /** The messages after the page; undefined: not loaded. */
  after: readonly MessageView[] | undefined;
  /** The page is the path's last one. */
  isLast: boolean;
}

/**
 * Decides how the messages of a page are shown. A run of reads never crosses the end of a page, so that
 * a row looks the same whatever else is loaded.
 */
export function planPage(page: Page): Row[] {
  const rows: Row[] = [];
  let before = page.before ?? undefined;
  let run: { row: Row; cards: Card[] } | undefined;
  page.messages.forEach((message, offset) => {
    const index = page.from + offset;
    const row: Row = {
      index,
      message,
      look: lookOf(message),
      header: false,
      totals: null,
      items: [],
      absent: message.hidden,
      host: index,
    };
    rows.push(row);
    if (message.hidden) return;
    row.header = opensHeader(before, message);
    if (row.header) run = undefined;
    before = message;
    for (const block of message.blocks) {
      const card = { message, block };
      if (!isRead(block)) {
        run = undefined;
        row.items.push({ type: "block", card });
      } else if (run) {
        run.cards.push(card);
      } else {
        run = { row, cards: [card] };
        row.items.push({ type: "reads", cards: run.cards });
      }
    }
    if (message.error !== "") run = undefined;
    if (row.items.length > 0 || row.header || message.error !== "") return;
    row.absent = true;
    if (run) row.host = run.row.index;
  });
  addTotals(rows, page);
  for (const row of rows) row.items = row.items.map(single);
  return rows;
}

/** A run of one is an ordinary card. */
function single(item: Item): Item {
  const [card] = item.type === "reads" && item.cards.length === 1 ? item.cards : [];
  return card ? { type: "block", card } : item;
}

function lookOf({ kind, name }: MessageView): Row["look"] {
  // What joins the answers of parallel agents is an answer to the user.
  if (kind === "meta" && name === "join") return "message";
  if (kind === "meta" || kind === "command") return "folded";
  if (kind === "compaction" || kind === "branch_summary") return "summary";
  return "message";
}

/** Steps of one speaker in one turn share a header; what has alternatives has its own, for the pager. */
function opensHeader(before: MessageView | undefined, message: MessageView): boolean {
  return (
    before === undefined ||
    message.role !== "assistant" ||
    before.role !== "assistant" ||
    lookOf(message) !== "message" ||
    lookOf(before) !== "message" ||
    message.siblings > 1 ||
    message.label !== "" ||
    message.turn !== before.turn ||
    message.agent !== before.agent ||
    message.name !== before.name ||
    message.model !== before.model
  );
}

function isRead(block: Block): boolean {
  return block.type === "tool" && block.readOnly && block.state === "done" && block.childId === "";
}

/** Adds up what each header covers. A last group may continue in the next page, but not further. */
function addTotals(rows: Row[], page: Page) {
  let group: MessageView[] = [];
  let head: Row | undefined;
  const close = (complete: boolean) => {
    if (head) head.totals = complete ? sum(group) : null;
  };
  for (const row of rows) {
    if (row.message.hidden) continue;
    if (row.header) {
      close(true);
      head = row;
      group = [];
    }
    group.push(row.message);
  }
  let last = group.at(-1);
  let complete = page.isLast;
  for (const message of page.after ?? []) {
    if (message.hidden) continue;
    if (opensHeader(last, message)) {
      complete = true;
      break;
    }
    group.push(message);
    last = message;
  }
  close(complete);
}

function sum(group: readonly MessageView[]): Totals {
  const totals: Totals = {
    steps: group.length,
    inputTokens: 0,
    outputTokens: 0,
    costNanoUsd: null,
    estimatedCostNanoUsd: null,
    isEstimated: false,
  };
  for (const {
    inputTokens,
    outputTokens,
    costNanoUsd,
    estimatedCostNanoUsd,
    isEstimated,
  } of group) {
    totals.isEstimated ||= isEstimated;
    totals.inputTokens += inputTokens;
    totals.outputTokens += outputTokens;
    if (costNanoUsd !== undefined && costNanoUsd !== null)
      totals.costNanoUsd = (totals.costNanoUsd ?? 0) + costNanoUsd;
    else if (estimatedCostNanoUsd !== undefined && estimatedCostNanoUsd !== null)
      totals.estimatedCostNanoUsd = (totals.estimatedCostNanoUsd ?? 0) + estimatedCostNanoUsd;
  }
  return totals;
}

/** The names of what a row can open. */
export function foldNames(row: Row): string[] {
  if (row.look !== "message") return [foldOfRow(row)];
  return row.items.flatMap((item) => {
    if (item.type === "reads") return [foldOfRun(item.cards)];
    const { block } = item.card;
    const isFold = block.type === "prose" ? isLong(item.card) : block.type !== "media";
    return isFold ? [foldOf(item.card)] : [];
  });
}

/** Prose of more lines is folded; */
const mostLines = 120;
/** where it is shown in short, that of more than these. */
const mostBriefLines = 20;

/** Reports whether a text is folded until it is opened. What a page holds the beginning of has a button of its own. */
export function isLong({ block, brief }: Card): boolean {
  const { type, lines, cut } = block;
  return type === "prose" && lines > (brief ? mostBriefLines : mostLines) && !cut;
}

/** The name of a card's fold. */
export function foldOf({ message, block }: Card): string {
  return `${message.uid}:${block.part}`;
}

/** The name of a run's fold. */
export function foldOfRun(cards: readonly Card[]): string {
  return cards[0] ? `run ${foldOf(cards[0])}` : "";
}

/** The name of a folded message's fold. */
export function foldOfRow({ message }: Row): string {
  return `row ${message.uid}`;
}
