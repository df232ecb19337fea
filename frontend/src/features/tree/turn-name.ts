// What turns are called for people who listen.

import type { Turn } from "@/lib/api";
import { formatCount, formatPlural } from "@/lib/format";
import { int } from "./columns";
import { foldedSize } from "./folds";
import { isExpanded, type OutlineModel } from "./outline-model";
import { placeOf } from "./strands";

/** What is said first by whom: a fork may begin with an answer instead of a prompt. */
export function openingWord({ role }: Turn): string {
  if (role === "user") return "";
  return role === "assistant" ? "Answer" : role.charAt(0).toUpperCase() + role.slice(1);
}

/** The first words of a turn; something to show where it has none. */
export function turnText(turn: Turn): string {
  return turn.preview === "" ? "no text" : turn.preview;
}

/** The name of a turn with its place: "n14, Keep sessions in a table, 2 of 3 alternatives, 9 messages, on current path". */
export function turnName(model: OutlineModel, turn: Turn, head: number): string {
  const { strands } = model;
  const at = turn.node;
  const alternatives = int(strands.alternatives, at);
  const folded = isExpanded(model, at) === false ? foldedSize(strands, at) : 0;
  return [
    `n${at}`,
    openingWord(turn).toLowerCase(),
    turnText(turn),
    turn.label && `label ${turn.label}`,
    alternatives > 1 &&
      `${formatCount(int(strands.position, at) + 1)} of ${formatCount(alternatives)} alternatives`,
    formatPlural(turn.messages, "message"),
    strands.of[at] === 0 && "on current path",
    at === head && "head",
    folded > 0 && `${formatPlural(folded, "turn")} folded`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A folded chain's turns and messages. */
export function chainExtent(model: OutlineModel, turns: readonly Turn[], row: number) {
  const { strands, rows } = model;
  const count = int(rows.chain, row);
  const first = turns[int(rows.turn, row)];
  const last = turns[int(strands.turns, placeOf(strands, int(rows.turn, row)) + count - 1)];
  const messages = first && last ? last.cumulative - first.cumulative + first.messages : 0;
  return { count, first, last, messages };
}

/** The name of a folded chain: "4 turns folded, n1 to n4, 38 messages, on current path". */
export function chainName(model: OutlineModel, turns: readonly Turn[], row: number): string {
  const { count, first, last, messages } = chainExtent(model, turns, row);
  return [
    `${formatPlural(count, "turn")} folded`,
    `n${first?.node} to n${last?.node}`,
    formatPlural(messages, "message"),
    model.strands.of[int(model.rows.turn, row)] === 0 && "on current path",
  ]
    .filter(Boolean)
    .join(", ");
}
