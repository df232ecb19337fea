import { labelled, prompt, tools } from "@/lib/tree/skeleton";
import { byte, int } from "./columns";
import { firstTurn, lastTurn, type Shape, type Strands } from "./strands";

/** Which turns the outline lists. */
export type Filter = "all" | "prompts" | "no-tools" | "labelled";

/** The bits of the flags that a filter looks at, and what they must be. */
const rules = {
  prompts: { bits: prompt, are: prompt },
  "no-tools": { bits: tools, are: 0 },
  labelled: { bits: labelled, are: labelled },
};

/**
 * Turn → 1 where the filter keeps it; null where it keeps all. Kept beside the matches: the turns
 * in `pinned` (-1 is ignored), both ends of the trunk, and the first turn of every strand above a match, so that
 * one sees where the match hangs.
 */
export function keptTurns(
  { count, flags }: Pick<Shape, "count" | "flags">,
  strands: Strands,
  filter: Filter,
  pinned: readonly number[],
): Uint8Array | null {
  if (filter === "all") return null;
  const { bits, are } = rules[filter];
  const kept = new Uint8Array(count);
  for (let turn = 0; turn < count; turn++) if ((byte(flags, turn) & bits) === are) kept[turn] = 1;
  for (const turn of [...pinned, firstTurn(strands, 0), lastTurn(strands, 0)])
    if (turn >= 0) kept[turn] = 1;
  const matching = new Uint8Array(strands.count);
  for (let strand = strands.count - 1; strand > 0; strand--) {
    for (let at = int(strands.start, strand); at < int(strands.start, strand + 1); at++)
      if (byte(kept, int(strands.turns, at))) matching[strand] = 1;
    if (!byte(matching, strand)) continue;
    kept[firstTurn(strands, strand)] = 1;
    const fork = int(strands.fork, strand);
    if (fork >= 0) matching[int(strands.of, fork)] = 1;
  }
  return kept;
}
