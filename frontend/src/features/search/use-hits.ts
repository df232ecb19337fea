import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api, type Found, type Hit, type SearchQuery, toApiError } from "@/lib/api";
import { formatCount, formatPlural } from "@/lib/format";
import { keys } from "@/lib/query";
import type { Reading } from "./filters";
import { whyNot } from "./matching";

/** More than a person reads, and quick to draw. */
const limit = 100;

/** What a search found, and what is to be said of it. */
export interface Hits {
  hits: readonly Hit[];
  /** How many they are, or why there are none. */
  note: string;
  hint: string;
  failed: boolean;
  /** The answer to what stands in the field is still to come. */
  waiting: boolean;
}

const nothing: Hits = { hits: [], note: "", hint: "", failed: false, waiting: false };

interface Search {
  enabled: boolean;
  /** What to look for; `typing` while the field already holds another text. */
  text: string;
  typing: boolean;
  reading: Reading;
  /** A query that must hold besides; empty: none. */
  filter: string;
  byRelevance: boolean;
  /** Empty: every session. */
  sessionId: string;
}

/** Searches the messages of every branch. A new search ends the one before it. */
export function useHits(search: Search): Hits {
  const { enabled, text, typing, reading, filter, byRelevance, sessionId } = search;
  const query: SearchQuery = {
    text: text.trimStart(),
    regex: reading === "regex",
    substring: reading === "text",
    filter,
    sessionId,
    order: byRelevance ? "relevance" : "newest",
    typing: true,
    limit,
  };
  const reason = whyNot(text, reading);
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    queryKey: keys.search(query),
    queryFn: () => api.search(query),
    enabled: enabled && reason === "",
    // New messages come without a word to this key.
    staleTime: 0,
    gcTime: 30_000,
    placeholderData: keepPreviousData,
  });
  if (!enabled) return nothing;
  if (reason) return { ...nothing, note: reason };
  const failure = error ? toApiError(error) : undefined;
  // A search that was ended by the next one has not failed.
  if (failure && failure.code !== "canceled" && !isFetching)
    return { ...nothing, note: failure.message, hint: failure.hint, failed: true };
  const waiting = typing || data === undefined || (isFetching && isPlaceholderData);
  const hits = data?.hits ?? [];
  const late = data?.pending ? ` · ${formatPlural(data.pending, "message")} not indexed yet` : "";
  if (!data || hits.length === 0)
    return waiting
      ? { ...nothing, note: "Searching messages", waiting }
      : { ...nothing, note: `No message holds this, in any branch${late}` };
  return { ...nothing, hits, note: `${countWords(data, byRelevance)}${late}`, waiting };
}

/** How many messages were found, and how. */
function countWords({ hits, total, more, loose }: Found, byRelevance: boolean): string {
  const which = byRelevance ? "best" : "newest";
  const shown = formatCount(hits.length);
  const words =
    more && total <= hits.length
      ? `The ${which} ${shown} hits; there are more`
      : more
        ? `The ${which} ${shown} of more than ${formatCount(total)} hits`
        : total > hits.length
          ? `The ${which} ${shown} of ${formatPlural(total, "hit")}`
          : formatPlural(total, "hit");
  return loose ? `No message has these words. ${words} within words` : words;
}
