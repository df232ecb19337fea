// What distinguishes siblings: where the words of several begin alike, what differs.

import { t } from "@/lib/i18n/i18n";
import type { Skeleton } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import { olderSiblingsOf, type Strands } from "../layout/strands";
import { excerptText } from "./turn-name";
import type { TurnWords } from "./turn-words";

/** A common beginning shorter than this distinguishes siblings well enough. */
const leastCommon = 12;
/** Siblings that are compared; of more than these only the nearest older ones are. */
const most = 12;

/** The older siblings of a turn that its words are compared with, nearest first; empty for the first one. */
export function olderSiblings(skeleton: Skeleton, strands: Strands, turn: number): number[] {
  if (int(strands.alternatives, turn) < 2 || int(strands.of, turn) < 0) return [];
  return olderSiblingsOf(skeleton, strands, turn, most);
}

/** The words of a turn beside those of its older siblings: "… keep the inline path", from where it differs from all of them. */
export function partingWords(own: string, older: readonly string[]): string {
  const common = Math.max(0, ...older.map((words) => commonLength(own, words)));
  if (common === own.length || common < leastCommon) return own;
  // From the beginning of the word that differs.
  const start = Math.max(own.lastIndexOf(" ", common), own.lastIndexOf("/", common)) + 1;
  return start < leastCommon ? own : `… ${own.slice(start)}`;
}

function commonLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at++;
  return at;
}

/** What a turn shows for its words: those that tell it from its siblings, of equal prompts what was answered. */
export function partingText(
  skeleton: Skeleton,
  strands: Strands,
  words: TurnWords,
  turn: number,
): string {
  const own = words.get(turn);
  if (!own) return "…";
  const older = olderSiblings(skeleton, strands, turn).flatMap((at) => words.get(at) ?? []);
  const isSame = own.preview !== "" && older.some(({ preview }) => preview === own.preview);
  if (isSame && own.answer && own.answer !== own.preview) return `→ ${excerptText(own.answer)}`;
  if (own.preview === "") return t("no text");
  return partingWords(
    excerptText(own.preview),
    older.map(({ preview }) => excerptText(preview)),
  );
}
