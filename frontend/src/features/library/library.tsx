import clsx from "clsx";
import { Trash2 } from "lucide-react";
import {
  type KeyboardEvent,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Button } from "@/components/button";
import { ContextMenu } from "@/components/context-menu";
import { ErrorState } from "@/components/error-state";
import { toastDone } from "@/components/toast";
import type { Session } from "@/lib/api";
import { writeClipboard } from "@/lib/clipboard";
import { useDebounced } from "@/lib/use-debounced";
import { useWindowState } from "@/lib/window-state";
import { EmptyLibrary } from "./empty-library";
import { FilterBar } from "./filter-bar";
import { isNarrowed, type LibraryFilter, noFilter, readFilter, toSessionFilter } from "./filters";
import { PurgeDialog } from "./purge-dialog";
import { toRows } from "./rows";
import {
  type Held,
  moveFocus,
  neighbour,
  nothing,
  prune,
  type Selection,
  take,
  takeAll,
  takeFocused,
} from "./selection";
import { SelectionBar } from "./selection-bar";
import { archive, pin, rename, restore, trash } from "./session-actions";
import { SessionList, type SessionListHandle, sessionIDAt } from "./session-list";
import { isArchived, isPinned, type SessionMenuActions, sessionMenu } from "./session-menu";
import { useLibraryCommands } from "./use-library-commands";
import { useFacets, useSessions } from "./use-sessions";

interface LibraryProps {
  /** The session on screen; empty: none. */
  openId: string;
  onOpen: (id: string) => void;
  /** Enter and double click: open and focus the session. */
  onEnter: () => void;
  onExport: (ids: string[]) => void;
}

/** The first pane: every session, filtered, sorted, by day. */
export function Library({ openId, onOpen, onEnter, onExport }: LibraryProps) {
  const [kept, setKept] = useWindowState<Partial<LibraryFilter>>("filter", noFilter);
  const filter = useMemo(() => readFilter(kept), [kept]);
  const sessionFilter = toSessionFilter(filter);
  // Typing stays fast while the list updates; each word is searched for in every title.
  const settled = useDebounced(sessionFilter.query, typingMs);
  const query = sessionFilter.query && settled;
  const asked = useDeferredValue(JSON.stringify({ ...sessionFilter, query }));
  const shown = useMemo<typeof sessionFilter>(() => JSON.parse(asked), [asked]);
  const list = useSessions(shown);
  const facets = useFacets();
  const rows = useMemo(
    () => toRows(list.sessions, shown.sort, shown.pinnedFirst),
    [list.sessions, shown.sort, shown.pinnedFirst],
  );
  const order = useMemo(
    () => rows.flatMap((row) => (row.type === "session" ? [row.key] : [])),
    [rows],
  );
  const byID = useMemo(() => new Map(list.sessions.map((one) => [one.id, one])), [list.sessions]);
  const [selection, setSelection] = useSelection(openId, order, list.isFetching);
  const [renamingId, setRenamingId] = useState("");
  const [purging, setPurging] = useState<string[]>();
  const handle = useRef<SessionListHandle>(null);
  const inTrash = filter.shelf === "trash";

  const change = useCallback(
    (part: Partial<LibraryFilter>) => setKept((now) => ({ ...readFilter(now), ...part })),
    [setKept],
  );

  const selected = useMemo(
    () => order.flatMap((id) => (selection.ids.has(id) ? (byID.get(id) ?? []) : [])),
    [order, selection.ids, byID],
  );
  const ids = selected.map(({ id }) => id);
  /** When sessions leave the list, the one in their position is selected, and opened if one of them was. */
  const leaving = async (ids: readonly string[], done: Promise<boolean>) => {
    const next = neighbour(order, ids);
    if (!(await done) || next === undefined) return;
    setSelection((now) => take(now, [], next, plain));
    if (ids.includes(openId)) onOpen(next);
  };

  const actionsOn = (selected: readonly Session[]): SessionMenuActions => {
    const ids = selected.map(({ id }) => id);
    const [first] = selected;
    return {
      open: () => {
        if (first) onOpen(first.id);
        onEnter();
      },
      rename: () => first && setRenamingId(first.id),
      pin: () => void pin(ids, !isPinned(selected)),
      archive: () => void archive(ids, !isArchived(selected)),
      export: () => onExport(ids),
      trash: () => void leaving(ids, trash(ids)),
      restore: () => void leaving(ids, restore(ids)),
      purge: () => setPurging(ids),
      showChildren: () =>
        first && change({ ...noFilter, parent: { id: first.id, title: first.title } }),
      openParent: () => first && onOpen(first.parentId),
      filterWorkspace: () => first && change({ workspace: first.workspacePath }),
      copyID: async () => {
        if (first && (await writeClipboard(first.id))) toastDone("Copied the session's id");
      },
    };
  };
  const actions = actionsOn(selected);

  const onTake = useOpening(onOpen, (id: string, held: Held) => {
    setSelection((now) => take(now, order, id, held));
    return !held.shift && !held.control;
  });

  const { hasNextPage, isFetching, fetchNextPage } = list;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  const selectAll = useSelectAll(list, order, setSelection);

  useLibraryCommands({
    filter,
    selected,
    actions,
    inTrash,
    change,
    selectAll,
    facets: facets.data,
    emptyTrash: () => setPurging([]),
  });

  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === "Delete" || (event.key === "Backspace" && event.metaKey)) {
      if (ids.length === 0) return false;
      if (inTrash) actions.purge();
      else actions.trash();
      return true;
    }
    if (event.key === "Escape" && selection.ids.size > 1) {
      setSelection(takeFocused);
      return true;
    }
    if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      void selectAll();
      return true;
    }
    return false;
  };

  return (
    <div className="flex h-full flex-col">
      <FilterBar filter={filter} facets={facets.data} onChange={change} />
      {inTrash && (facets.data?.trash ?? 0) > 0 && (
        <div className="flex items-center gap-2 px-3 pb-2 text-sm text-text-3">
          <span className="flex-1">Kept until you empty it.</span>
          <Button variant="quiet" onClick={() => setPurging([])}>
            <Trash2 size={14} aria-hidden="true" />
            Empty the trash…
          </Button>
        </div>
      )}
      {list.error && list.sessions.length === 0 ? (
        <ErrorState
          title="The sessions could not be read"
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      ) : rows.length === 0 && !list.isPending ? (
        <EmptyLibrary
          shelf={filter.shelf}
          narrowed={isNarrowed(filter)}
          ofParent={filter.parent !== null}
          onClear={() => change({ ...noFilter, shelf: filter.shelf, sort: filter.sort })}
        />
      ) : (
        <ContextMenu
          entries={(target) => {
            const id = sessionIDAt(target);
            if (!id) return [];
            if (!selection.ids.has(id)) setSelection((now) => take(now, order, id, plain));
            const about = selection.ids.has(id) ? selected : [byID.get(id)].filter((one) => !!one);
            return sessionMenu(about, inTrash, actionsOn(about));
          }}
        >
          <div
            aria-busy={list.isPlaceholderData}
            className={clsx(
              "flex min-h-0 flex-1 flex-col",
              // The previous list stays until the new one arrives, and is dimmed if that takes long.
              list.isPlaceholderData && "opacity-60 transition-opacity delay-150",
            )}
          >
            <SessionList
              ref={handle}
              rows={rows}
              missing={list.isPending ? firstGuess : Math.max(0, list.total - list.sessions.length)}
              total={list.total}
              listKey={asked}
              selectedIds={selection.ids}
              focusId={selection.focusId}
              openId={openId}
              renamingId={renamingId}
              onMissing={readMore}
              onTake={onTake}
              onMoveFocus={(id) => setSelection((now) => moveFocus(now, id))}
              onKey={onKey}
              onActivate={(id) => {
                onOpen(id);
                onEnter();
              }}
              onRename={(id, title) => {
                setRenamingId("");
                const session = byID.get(id);
                if (session && title !== null) void rename(id, session.title, title);
              }}
            />
          </div>
        </ContextMenu>
      )}
      {selection.ids.size > 1 && (
        <SelectionBar
          count={selection.ids.size}
          inTrash={inTrash}
          allPinned={isPinned(selected)}
          allArchived={isArchived(selected)}
          actions={actions}
          onClear={() => {
            setSelection(takeFocused);
            handle.current?.focus();
          }}
        />
      )}
      <PurgeDialog ids={purging} onClose={() => setPurging(undefined)} />
    </div>
  );
}

/** How long the user must have stopped typing before the list is requested. */
const typingMs = 120;

/** Placeholder rows shown before the first page arrives. */
const firstGuess = 12;
const plain: Held = { shift: false, control: false };

/** The selection; it follows the session on screen and drops sessions that have left the list. */
function useSelection(openId: string, order: readonly string[], isFetching: boolean) {
  const [selection, setSelection] = useState<Selection>(nothing);
  useEffect(() => {
    if (openId) setSelection((now) => (now.ids.has(openId) ? now : take(now, [], openId, plain)));
  }, [openId]);
  const before = useRef(order);
  useEffect(() => {
    // Between two pages of another list, missing sessions have not left it.
    if (isFetching) return;
    setSelection((now) => prune(now, before.current, order));
    before.current = order;
  }, [order, isFetching]);
  return [selection, setSelection] as const;
}

/** Opens the selected session, but only the last of a series of arrow keys. */
function useOpening(onOpen: (id: string) => void, onTake: (id: string, held: Held) => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const lastMs = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (id: string, held: Held) => {
    clearTimeout(timer.current);
    if (!onTake(id, held)) return;
    const hurried = Date.now() - lastMs.current < 150;
    lastMs.current = Date.now();
    if (hurried) timer.current = setTimeout(() => onOpen(id), 150);
    else onOpen(id);
  };
}

/** Selects everything that matches the filter, even if it is not loaded. */
function useSelectAll(
  list: ReturnType<typeof useSessions>,
  order: readonly string[],
  setSelection: (change: (now: Selection) => Selection) => void,
) {
  const { hasNextPage, fetchNextPage } = list;
  return async () => {
    if (!hasNextPage) {
      setSelection((now) => takeAll(now, order));
      return;
    }
    let read = await fetchNextPage();
    while (read.hasNextPage && !read.isError) read = await fetchNextPage();
    const all = read.data?.pages.flatMap((page) => page.sessions.map(({ id }) => id)) ?? order;
    setSelection((now) => takeAll(now, [...new Set(all)]));
  };
}
