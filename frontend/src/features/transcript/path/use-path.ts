import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { api, type MessageView, type WindowView } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { planPage, type Row } from "./plan";

/** How many messages are fetched at once. */
export const pageSize = 50;

/** Plans are cheap to make again; this many pages are more than a screen ever shows. */
const keptPlans = 200;

/** The query of one page of a path. */
export function pageQuery(sessionId: string, leafUid: string, page: number) {
  return {
    queryKey: keys.window(sessionId, leafUid, page),
    queryFn: () => api.getWindow(sessionId, leafUid, page * pageSize, pageSize),
  };
}

/** A path, as far as it is loaded. */
export interface Path {
  /** Undefined until the first page has come. */
  length: number | undefined;
  /** How a message is shown; undefined where it is not loaded. */
  row: (index: number) => Row | undefined;
  /** Why a message could not be loaded. */
  errorAt: (index: number) => Error | null;
  retry: (index: number) => void;
  /** All that was asked for has come, and is of this path, not of the one before. */
  isReady: boolean;
}

/** The first of the pages that a path on screen from a row on asks for. */
export function firstPage(row: number): number {
  return Math.max(0, Math.floor(row / pageSize) - 1);
}

interface Span {
  first: number;
  last: number;
}

/** How many messages a path has, from the page that it opens with at a row; undefined where that is not here. */
export function knownLength(
  client: QueryClient,
  sessionId: string,
  leafUid: string,
  row: number,
): number | undefined {
  const { queryKey } = pageQuery(sessionId, leafUid, firstPage(row));
  return client.getQueryData<WindowView>(queryKey)?.length;
}

/**
 * Loads what is on screen of the path that ends at a leaf, and the pages beside it; not the page below as long as `isOpening`,
 * whose arrival would put off what is being painted. While the pages
 * of another leaf are under way, those of the leaf before stand in for them, so that nothing flickers
 * where the two paths are the same.
 */
export function usePath(
  sessionId: string,
  leafUid: string,
  { first, last }: Span,
  isOpening: boolean,
): Path {
  const client = useQueryClient();
  const from = firstPage(first);
  const wanted: number[] = [];
  const known = useRef<{ leafUid: string; length: number } | undefined>(undefined);
  const lastPage = Math.max(0, Math.ceil((known.current?.length ?? 1) / pageSize) - 1);
  const below = isOpening ? 0 : 1;
  const lastWanted = Math.floor(Math.max(first, last) / pageSize) + below;
  const to = Math.min(lastWanted, Math.max(lastPage, from));
  for (let page = from; page <= to; page++) wanted.push(page);

  const answers = useQueries({
    queries: wanted.map((page) => pageQuery(sessionId, leafUid, page)),
  });

  // The leaf whose pages stand in, until the first ones of the new leaf are there.
  const isReady = answers.every(({ data, error }) => data !== undefined || error !== null);
  const [shown, setShown] = useState(leafUid);
  useLayoutEffect(() => {
    if (isReady) setShown(leafUid);
  }, [isReady, leafUid]);
  const before = shown === leafUid ? undefined : shown;

  const newest = answers.reduce<{ at: number; view?: WindowView }>(
    (best, { data, dataUpdatedAt }) =>
      data && dataUpdatedAt >= best.at ? { at: dataUpdatedAt, view: data } : best,
    { at: 0 },
  ).view;
  if (newest) known.current = { leafUid, length: newest.length };
  const length = known.current?.length;

  const planner = useMemo(() => new Planner(), []);
  const inCache = (page: number): WindowView | undefined =>
    client.getQueryData<WindowView>(keys.window(sessionId, leafUid, page)) ??
    (before === undefined
      ? undefined
      : client.getQueryData<WindowView>(keys.window(sessionId, before, page)));
  // Looked up once in a drawing: every row asks for its page and for those beside it.
  const pages = new Map<number, WindowView | undefined>();
  const pageOf = (page: number) => {
    if (!pages.has(page)) pages.set(page, inCache(page));
    return pages.get(page);
  };

  const answerAt = (index: number) => answers[Math.floor(index / pageSize) - from];
  return {
    length,
    row: (index) =>
      length === undefined || index >= length
        ? undefined
        : planner.row(index, length, (page) => pageOf(page)?.messages),
    errorAt: (index) => {
      const answer = answerAt(index);
      return answer?.data ? null : (answer?.error ?? null);
    },
    retry: (index) => void answerAt(index)?.refetch(),
    isReady,
  };
}

type PageOf = (page: number) => readonly MessageView[] | undefined;

interface Plan {
  messages: readonly MessageView[];
  before: MessageView | null | undefined;
  after: readonly MessageView[] | undefined;
  isLast: boolean;
  rows: Row[];
}

/** Keeps the plans of pages while what they are made of stays the same, so that rows keep their identity. */
class Planner {
  readonly #plans = new Map<number, Plan>();

  row(index: number, length: number, pageOf: PageOf): Row | undefined {
    const page = Math.floor(index / pageSize);
    const messages = pageOf(page);
    if (!messages) return undefined;
    const before = this.#before(page, pageOf);
    const after = pageOf(page + 1);
    const isLast = (page + 1) * pageSize >= length;
    let plan = this.#plans.get(page);
    if (
      plan?.messages !== messages ||
      plan.before !== before ||
      plan.after !== after ||
      plan.isLast !== isLast
    ) {
      const from = page * pageSize;
      const rows = planPage({ from, messages, before, after, isLast });
      plan = { messages, before, after, isLast, rows: keepSame(plan?.rows, rows) };
      if (this.#plans.size > keptPlans) this.#plans.clear();
      this.#plans.set(page, plan);
    }
    return plan.rows[index - page * pageSize];
  }

  #before(page: number, pageOf: PageOf): MessageView | null | undefined {
    if (page === 0) return null;
    return pageOf(page - 1)?.findLast(({ hidden }) => !hidden);
  }
}

/** The old rows where the new ones say the same, so that they are not drawn again. */
function keepSame(old: Row[] | undefined, rows: Row[]): Row[] {
  if (!old) return rows;
  return rows.map((row, at) => {
    const was = old[at];
    const same =
      was !== undefined &&
      was.message === row.message &&
      was.header === row.header &&
      was.absent === row.absent &&
      was.host === row.host &&
      JSON.stringify(was.totals) === JSON.stringify(row.totals) &&
      was.items.length === row.items.length &&
      was.items.every((item, place) => sameItem(item, row.items[place]));
    return same ? was : row;
  });
}

function sameItem(a: Row["items"][number], b: Row["items"][number] | undefined): boolean {
  if (a.type === "block") return b?.type === "block" && a.card.block === b.card.block;
  return (
    b?.type === "reads" &&
    a.cards.length === b.cards.length &&
    a.cards.every((card, at) => card.block === b.cards[at]?.block)
  );
}
