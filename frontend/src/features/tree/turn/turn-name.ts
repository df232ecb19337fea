// What turns are called for people who listen.

import type { Turn } from "@/lib/api/api";
import { formatCost, formatEstimate, formatPlural } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { statusWord } from "@/lib/format/sources";
import { visible } from "@/lib/format/visible";
import { plural, t } from "@/lib/i18n/i18n";
import { compacted, cumulative, runStatus, type Skeleton, type Tree } from "@/lib/tree/skeleton";
import { byte, int } from "../layout/columns";
import { foldedSize } from "../layout/folds";
import { isExpanded, type OutlineModel } from "../layout/outline-model";
import { isOnPath } from "../layout/path-ends";
import { placeOf } from "../layout/strands";
import { markWords } from "./turn-marks";
import type { TurnWords } from "./turn-words";

/** What precedes the words: a fork may begin with an answer instead of a prompt, which is known by its model. */
export function openingWord({ role, model, authors }: Turn): string {
  if (role === "user") return "";
  if (authors) return ""; // their names are beside it
  return role === "assistant"
    ? shortModel(model ?? "") || t("Answer")
    : role === "tool"
      ? t("Tool")
      : t("System");
}

/** A turn's id for the command line, "n14": words name it on screen, and tooltips have the id. */
export function nodeOf({ number }: Skeleton, turn: number): string {
  return `n${int(number, turn)}`;
}

/** The first words of a turn; something to show where it has none, and before they have come. */
export function turnText(turn: Turn | undefined): string {
  if (!turn) return "…";
  return turn.preview === "" ? t("no text") : excerptText(turn.preview);
}

/** So many characters of a text are stored for lists, or a few less where the cut is at a space. */
const excerptLength = 158;

/** The stored beginning of a text, with an ellipsis if it is not all of it. */
export function excerptText(excerpt: string): string {
  return excerpt.length >= excerptLength && [...excerpt].length >= excerptLength
    ? `${visible(excerpt)}…`
    : visible(excerpt);
}

const mostCalled = 40;

/** How a turn is called in a sentence: by its label, else by its first words, in quotation marks. */
export function calledTurn(turn: Pick<Turn, "label" | "preview" | "model" | "role">): string {
  const words = turn.label || visible(turn.preview);
  if (words === "") return turn.role === "user" ? t("the prompt") : t("the answer");
  const cut = words.length > mostCalled ? `${words.slice(0, mostCalled).trimEnd()}…` : words;
  return `“${cut}”`;
}

/** What was billed for turns, and apart from it the list price of the rest: "$0.12", "≈ $0.40"; empty if neither is known. */
export function turnCost({ skeleton }: Tree, ...turns: readonly number[]): string {
  const [billed, estimated] = [skeleton.costNanoUsd, skeleton.estimatedCostNanoUsd].map((costs) =>
    turns.reduce((sum, turn) => sum + (costs[turn] ?? 0), 0),
  );
  return [billed && formatCost(billed), estimated && formatEstimate(estimated, false)]
    .filter(Boolean)
    .join(" + ");
}

/** What was kept before a turn by the tool that its session is from; empty where nothing was. */
export function checkpointWords({ checkpoints }: Tree, turn: number): string {
  const files = checkpoints.get(turn);
  if (files === undefined) return "";
  return files > 0
    ? plural(files, "checkpoint of {{count}} file", "checkpoint of {{count}} files")
    : t("checkpoint of the files");
}

/** The name of a turn with its place: "Keep sessions in a table, 2 of 3 alternatives, 9 messages, 214 turns below, on current path". */
export function turnName(
  model: OutlineModel,
  tree: Tree,
  turn: number,
  words: Turn | undefined,
  isLinked: boolean,
): string {
  const { strands, skeleton } = model;
  const alternatives = int(strands.alternatives, turn);
  const folded = isExpanded(model, turn) === false ? foldedSize(model, turn) : 0;
  const below = int(strands.size, turn) - 1;
  const label = tree.labels.get(turn);
  const run = runStatus(byte(skeleton.flags, turn));
  return [
    words && openingWord(words),
    words && turnText(words),
    words?.authors && t("by {{names}}", { names: words.authors.replaceAll("\n", ", ") }),
    label && t("label {{label}}", { label }),
    alternatives > 1 &&
      t("{{number}} of {{total}} alternatives", {
        number: int(strands.position, turn) + 1,
        total: alternatives,
      }),
    formatPlural(int(skeleton.messages, turn), "message"),
    turnCost(tree, turn),
    below > 0 && plural(below, "{{count}} turn below", "{{count}} turns below"),
    byte(skeleton.flags, turn) & compacted && t("context summarised"),
    checkpointWords(tree, turn),
    run && run !== "success" && t("run {{status}}", { status: statusWord(run) }),
    isOnPath(strands, model.path, turn) && t("on current path"),
    turn === tree.headTurn && t("current position"),
    ...markWords(tree, turn),
    isLinked && t("linked with another session"),
    folded > 0 && plural(folded, "{{count}} turn folded", "{{count}} turns folded"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** A folded chain's turns and messages. */
export function chainExtent({ strands, rows, skeleton }: OutlineModel, row: number) {
  const count = int(rows.chain, row);
  const first = int(rows.turn, row);
  const last = int(strands.turns, placeOf(strands, first) + count - 1);
  const messages = cumulative(skeleton, last) - int(skeleton.firstDepth, first);
  return { count, first, messages };
}

/** The name of a folded chain: "4 turns folded, 38 messages, on current path". */
export function chainName(model: OutlineModel, row: number): string {
  const { count, first, messages } = chainExtent(model, row);
  return [
    plural(count, "{{count}} turn folded", "{{count}} turns folded"),
    formatPlural(messages, "message"),
    isOnPath(model.strands, model.path, first) && t("on current path"),
  ]
    .filter(Boolean)
    .join(", ");
}

/** Whether a turn's number, its label or its first words begin with a word in lower case. */
export function beginsWith(tree: Tree, words: TurnWords, turn: number, word: string): boolean {
  return [
    nodeOf(tree.skeleton, turn),
    tree.labels.get(turn) ?? "",
    words.get(turn)?.preview ?? "",
  ].some((text) => text.toLowerCase().startsWith(word));
}
