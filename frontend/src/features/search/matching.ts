// What the search panel offers for the typed text.

import type { Found, Hit, HitCount } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { type Command, type CommandGroup, groupTitle } from "@/lib/keys/commands";
import type { Passage } from "@/lib/session/location";
import type { Reading } from "./filters";

/** The hits of one session, in the order they were found. */
interface HitGroup {
  sessionId: string;
  title: string;
  source: string;
  /** The number of its messages that match, including those not listed. */
  count: number;
  hits: Hit[];
}

/** Groups hits by session, in the order of each session's first hit. */
export function groupHits(hits: readonly Hit[]): HitGroup[] {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const group = groups.get(hit.sessionId);
    if (group) group.hits.push(hit);
    else
      groups.set(hit.sessionId, {
        sessionId: hit.sessionId,
        title: hit.sessionTitle,
        source: hit.source,
        count: hit.sessionHits,
        hits: [hit],
      });
  }
  return [...groups.values()];
}

/** Combines the answers of one search, each of which continues the previous one. */
export function addUp(answers: readonly Found[]): Found {
  const hits = answers.flatMap((answer) => answer.hits);
  const last = answers.at(-1) as Found;
  if (answers.length < 2) return last;
  return {
    ...last,
    hits: withCounts(hits, tally(hits)),
    total: hits.length,
    loose: answers.some(({ loose }) => loose),
    hint: (answers.find((answer) => answer.hits.length > 0) ?? last).hint,
    looked: answers.reduce((sum, { looked }) => sum + looked, 0),
    lookedToMs: answers.findLast(({ lookedToMs }) => lookedToMs > 0)?.lookedToMs ?? 0,
  };
}

/** The hits with the counts of all matches. */
export function counted(found: Found, count: HitCount | undefined): Found {
  if (!found.uncounted || !count) return found;
  const { total, more } = count;
  const bySession = new Map(count.sessions.map(({ sessionId, hits }) => [sessionId, hits]));
  return { ...found, total, more, uncounted: false, hits: withCounts(found.hits, bySession) };
}

function tally(hits: readonly Hit[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { sessionId } of hits) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  return counts;
}

function withCounts(hits: readonly Hit[], bySession: Map<string, number>): Hit[] {
  return hits.map((hit) => ({
    ...hit,
    sessionHits: bySession.get(hit.sessionId) ?? hit.sessionHits,
  }));
}

/** A range of a snippet. */
export interface Piece {
  from: number;
  text: string;
  marked: boolean;
}

/** The snippet in pieces: the matches, and the text around them. */
export function splitSnippet({ snippet, marks }: Pick<Hit, "snippet" | "marks">): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  const take = (to: number, marked: boolean) => {
    if (to > at) pieces.push({ from: at, text: snippet.slice(at, to), marked });
    at = Math.max(at, to);
  };
  for (const { from, to } of marks) {
    take(Math.min(from, snippet.length), false);
    take(Math.min(to, snippet.length), true);
  }
  take(snippet.length, false);
  return pieces;
}

const groupOrder: readonly CommandGroup[] = ["Session", "Tree", "Find", "Library", "View", "Help"];

/** The commands whose title or group contains every typed word; those that begin with it come first, then the groups in their order. */
export function matchCommands(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const offered = commands.filter(({ enabled, hidden }) => enabled && !hidden);
  const start = words[0] ?? "";
  return offered
    .filter(({ title, group }) => {
      const text = `${title} ${groupTitle(group)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((command) => ({
      command,
      rank:
        groupOrder.indexOf(command.group) +
        (command.title.toLowerCase().startsWith(start) ? 0 : groupOrder.length),
    }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ command }) => command);
}

/** Texts with fewer characters would match nearly everything. */
const shortest = 2;

/** Returns why a text is not searched for; empty: it is. */
export function whyNot(text: string, reading: Reading): string {
  if ([...text.trim()].length < shortest)
    return t("Type two characters or more to search messages.");
  if (reading !== "regex") return "";
  // Go decides whether an expression is valid; this check catches an open bracket.
  try {
    new RegExp(text.replace(/^\(\?[ims]+\)/, ""));
    return "";
  } catch (reason) {
    const { message } = reason as Error;
    return t("Invalid regular expression: {{problem}}", {
      problem: message.replace(/^Invalid regular expression: /, ""),
    });
  }
}

/** The range to show of a matching message: the first of the searched words, with those directly after it. */
export function passageOf({ snippet, part, marks, markFrom, markTo }: Hit): Passage {
  let to = markTo;
  for (const mark of marks) if (mark.from >= to && mark.from - to <= 1) to = mark.to;
  return { snippet, part, from: markFrom, to };
}
