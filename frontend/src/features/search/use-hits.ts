import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Found, type Hit, type SearchQuery, toApiError } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatDate, formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import type { Reading } from "./filters";
import { addUp, counted, whyNot } from "./matching";

/** More than a user reads, and fast to draw. */
const limit = 100;

/** How long a search reads texts before it shows its hits so far. */
const showMs = 200;

/** The hits of a search, and its state. */
export interface Hits {
  hits: readonly Hit[];
  /** The number of hits, or why none match. */
  note: string;
  hint: string;
  failed: boolean;
  /** The answer for the text in the field is pending. */
  waiting: boolean;
  /** More messages match. */
  isPart: boolean;
  /** Stops the search for more hits. */
  stop?: () => void;
  /** Resumes the stopped search for more hits. */
  goOn?: () => void;
}

const nothing: Hits = {
  hits: [],
  note: "",
  hint: "",
  failed: false,
  waiting: false,
  isPart: false,
};

interface Search {
  enabled: boolean;
  /** The text to search for; `typing` while the field already has another text. */
  text: string;
  typing: boolean;
  reading: Reading;
  /** A query that must match too; empty: none. */
  filter: string;
  byRelevance: boolean;
  /** Empty: every session. */
  sessionId: string;
  /** The session on screen, the meaning of `in:session`; empty: none. */
  fromId: string;
}

/**
 * Searches the messages of every branch. A new search cancels the previous one. Hits from the index come at once and are counted
 * later; messages outside the index are read, the newest first, for a short time at a time.
 */
export function useHits(search: Search): Hits {
  const { enabled, text, typing, reading, filter, byRelevance, sessionId, fromId } = search;
  const query: SearchQuery = {
    text: text.trimStart(),
    regex: reading === "regex",
    substring: reading === "text",
    filter,
    sessionId,
    fromId,
    order: byRelevance ? "relevance" : "newest",
    typing: true,
    limit,
    before: 0,
    withinMs: showMs,
  };
  const reason = whyNot(text, reading);
  const queryKey = reading === "words" ? keys.search(query) : keys.reading(query);
  const name = JSON.stringify(queryKey);
  const [stopped, setStopped] = useState(""); // the name of the stopped search
  const { data, error, isFetching, isPlaceholderData, hasNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey,
      queryFn: ({ pageParam }) =>
        api.search({ ...query, before: pageParam.before, limit: limit - pageParam.found }),
      initialPageParam: { before: 0, found: 0 },
      getNextPageParam: ({ next }, pages) =>
        next ? { before: next, found: addUp(pages).hits.length } : undefined,
      enabled: enabled && reason === "",
      // New messages do not invalidate this key.
      staleTime: 0,
      gcTime: 30_000,
      placeholderData: keepPreviousData,
    });
  const current = !isPlaceholderData && enabled && reason === "";
  const unfinished = current && hasNextPage && !error;
  const goesOn = unfinished && stopped !== name;
  useEffect(() => {
    if (goesOn && !isFetching && !typing) void fetchNextPage();
  }, [goesOn, isFetching, typing, fetchNextPage]);
  const found = data && addUp(data.pages);
  const { data: count } = useQuery({
    queryKey: keys.hitCount(query),
    queryFn: () => api.countHits(query),
    enabled: current && found?.uncounted === true,
    staleTime: 0,
    gcTime: 30_000,
  });
  if (!enabled) return nothing;
  if (reason) return { ...nothing, note: reason };
  const failure = error ? toApiError(error) : undefined;
  // A search that was cancelled by the next one has not failed.
  if (failure && failure.code !== "canceled" && !isFetching)
    return { ...nothing, note: failure.message, hint: failure.hint, failed: true };
  const waiting = typing || found === undefined || (isFetching && isPlaceholderData);
  const hint = found?.hint ?? "";
  const late = found?.pending
    ? plural(
        found.pending,
        "{{count}} message not indexed yet",
        "{{count}} messages not indexed yet",
      )
    : "";
  if (found && unfinished) {
    const note = joined(soFarWords(found), lookedWords(found), late);
    const part = { ...nothing, hits: found.hits, note, hint, waiting, isPart: true };
    return goesOn
      ? { ...part, stop: () => setStopped(name) }
      : { ...part, goOn: () => setStopped("") };
  }
  if (!found || found.hits.length === 0)
    return waiting
      ? { ...nothing, note: t("Searching messages"), waiting }
      : { ...nothing, note: joined(t("No message contains this, in any branch"), late), hint };
  const all = counted(found, current ? count : undefined);
  const note = joined(countWords(all, byRelevance), late);
  const isPart = all.uncounted || all.more || all.total > all.hits.length;
  return { ...nothing, hits: all.hits, note, hint, waiting, isPart };
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(" · ");

function soFarWords({ hits }: Found): string {
  return plural(hits.length, "{{count}} hit so far", "{{count}} hits so far");
}

function lookedWords({ looked, lookedToMs }: Found): string {
  return plural(
    looked,
    "{{count}} message read, back to {{day}}",
    "{{count}} messages read, back to {{day}}",
    { day: formatDate(new Date(lookedToMs)) },
  );
}

/** The number of matching messages, and how they were found. */
function countWords({ hits, total, more, loose, uncounted }: Found, byRelevance: boolean): string {
  const isPart = uncounted || more || total > hits.length;
  const all = isPart ? { shown: hits.length, total } : undefined;
  const words = all
    ? partWords(all, byRelevance, more, uncounted === true)
    : formatPlural(total, "hit");
  return loose
    ? t("No message contains these words. {{hits}} within words", { hits: words })
    : words;
}

/** As `countWords`, where more messages match than the list shows. */
function partWords(
  { shown, total }: { shown: number; total: number },
  byRelevance: boolean,
  more: boolean,
  uncounted: boolean,
): string {
  if (uncounted)
    return byRelevance
      ? t("The best {{shown}} hits", { shown })
      : t("The newest {{shown}} hits", { shown });
  if (more && total <= shown)
    return byRelevance
      ? t("The best {{shown}} hits; there are more", { shown })
      : t("The newest {{shown}} hits; there are more", { shown });
  if (more)
    return byRelevance
      ? t("The best {{shown}} of more than {{total}} hits", { shown, total })
      : t("The newest {{shown}} of more than {{total}} hits", { shown, total });
  return byRelevance
    ? t("The best {{shown}} of {{total}} hits", { shown, total })
    : t("The newest {{shown}} of {{total}} hits", { shown, total });
}
