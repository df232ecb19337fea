import { useQueries } from "@tanstack/react-query";
import { useRef } from "react";
import { api, type MessageView, type TurnDigest } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import type { PathTurns, TurnOnPath } from "../path/path-turns";
import type { Row } from "../path/plan";

/** How many turns are fetched at once. */
const pageSize = 12;

/** What is shown of a turn: its prompt and its answer, as rows. */
export interface DigestRows {
  prompt: Row | undefined;
  answer: Row | undefined;
  /** Set if the turn has work but no answer to show it under. */
  work: TurnOnPath | undefined;
}

interface Digests {
  /** Undefined where it is not loaded. */
  at: (place: number) => DigestRows | undefined;
  errorAt: (place: number) => Error | null;
  retry: (place: number) => void;
}

interface Wanted {
  sessionId: string;
  leafUid: string;
  turns: PathTurns;
  first: number;
  last: number;
}

/** Loads the digests of the turns on screen, a page at a time. */
export function useDigests({ sessionId, leafUid, turns, first, last }: Wanted): Digests {
  const from = Math.floor(Math.max(0, first) / pageSize);
  const to = Math.floor(Math.max(0, last, first) / pageSize);
  const pages: number[] = [];
  for (let page = from; page <= to; page++) pages.push(page);
  const answers = useQueries({
    queries: pages.map((page) => {
      const spans: { from: number; count: number }[] = [];
      const end = Math.min(turns.length, (page + 1) * pageSize);
      for (let place = page * pageSize; place < end; place++)
        spans.push({ from: turns.start(place), count: turns.count(place) });
      const last = spans.at(-1);
      return {
        queryKey: keys.digest(sessionId, leafUid, page, last && last.from + last.count),
        queryFn: () => api.getDigests(sessionId, leafUid, spans),
        enabled: spans.length > 0,
      };
    }),
  });
  const answerOf = (place: number) => answers[Math.floor(place / pageSize) - from];
  // While another path loads, or more of this one, what was known of the same turns stays on screen.
  const known = useRef(new Map<number, { digest: TurnDigest; rows: DigestRows }>());
  const at = (place: number): DigestRows | undefined => {
    const number = turns.numbers[place];
    if (number === undefined) return undefined;
    const old = known.current.get(number);
    const digest = answerOf(place)?.data?.[place % pageSize];
    if (!digest || digest === old?.digest) return old?.rows;
    const { from: start, count } = digest;
    const rows = rowsOf(digest, { sessionId, leafUid, number, from: start, count });
    known.current.set(number, { digest, rows });
    return rows;
  };
  return {
    at,
    errorAt: (place) => answerOf(place)?.error ?? null,
    retry: (place) => void answerOf(place)?.refetch(),
  };
}

/** The rows of a digest. The work is shown with the answer. */
export function rowsOf(digest: TurnDigest, turn: TurnOnPath): DigestRows {
  const work = digest.hasWork ? turn : undefined;
  const { prompt, answer } = digest;
  return {
    prompt: prompt ? rowOf(prompt, true) : undefined,
    answer: answer ? { ...rowOf(answer), ...(work && { turn: work }) } : undefined,
    work: answer ? undefined : work,
  };
}

// A prompt is shown in short: a pasted plan would push what was done out of sight.
function rowOf(message: MessageView, brief?: true): Row {
  return {
    index: message.depth,
    message,
    look: "message",
    header: true,
    totals: null,
    items: message.blocks.map((block) => ({
      type: "block",
      card: { message, block, ...(brief && { brief }) },
    })),
    absent: false,
    host: message.depth,
  };
}
