import clsx from "clsx";
import { Tag as TagIcon, Trash2 } from "lucide-react";
import {
  type Dispatch,
  type KeyboardEvent,
  type Ref,
  type SetStateAction,
  useCallback,
  useMemo,
  useRef,
  useState,
} from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { Button } from "@/components/form/button";
import { ContextMenu } from "@/components/menu/context-menu";
import type { Session, Tag } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { commandSpec, runCommand, runKey } from "@/lib/keys/commands";
import { EmptyLibrary } from "./empty-library";
import { FilterBar } from "./filter-bar";
import { isNarrowed, noFilter } from "./filters";
import { PurgeDialog } from "./purge-dialog";
import { type Held, moveFocus, type Selection, take, takeFocused } from "./selection";
import { SelectionBar } from "./selection-bar";
import { rename } from "./session-actions";
import { SessionList, type SessionListHandle, sessionIDAt } from "./session-list";
import { sessionMenu } from "./session-menu";
import { useTitling } from "./title-dialog";
import { useLibraryCommands } from "./use-library-commands";
import { plain, useOpening, useSelectAll, useSelection } from "./use-selection";
import { useSessionActions } from "./use-session-actions";
import { useShownSessions } from "./use-shown-sessions";
import { useTagging } from "./use-tagging";

interface LibraryProps {
  /** The session on screen; empty: none. */
  openId: string;
  /** It lies over the session: a click goes there, as Enter does. */
  floats: boolean;
  onOpen: (id: string) => void;
  /** Enter and double click: open and focus the session. */
  onEnter: () => void;
  onExport: (ids: string[]) => void;
}

/** The first pane: every session, filtered, sorted, by day. */
export function Library({ openId, floats, onOpen, onEnter, onExport }: LibraryProps) {
  const shown = useShownSessions();
  const { filter, change, list, rows, order, byID, facets } = shown;
  const [selection, setSelection] = useSelection(openId, order, list.isFetching);
  const [renamingId, setRenamingId] = useState("");
  const [purging, setPurging] = useState<string[]>();
  const handle = useRef<SessionListHandle>(null);
  const inTrash = filter.shelf === "trash";

  const selected = useMemo(
    () => order.flatMap((id) => (selection.ids.has(id) ? (byID.get(id) ?? []) : [])),
    [order, selection.ids, byID],
  );
  const actionsOn = useSessionActions({
    order,
    openId,
    change,
    onOpen,
    onEnter,
    onExport,
    onRename: setRenamingId,
    onPurge: setPurging,
    onNext: (id) => setSelection((now) => take(now, [], id, plain)),
  });
  const actions = actionsOn(selected);
  const tagging = useTagging(facets?.tags ?? noTags);
  const titling = useTitling();

  const onTake = useOpening(onOpen, (id: string, held: Held) => {
    setSelection((now) => take(now, order, id, held));
    return !held.shift && !held.control;
  });

  const onPress = (id: string, held: Held) => {
    onTake(id, held);
    if (floats && !held.shift && !held.control) onEnter();
  };

  const selectAll = useSelectAll(list, order, setSelection);

  useLibraryCommands({
    filter,
    selected,
    actions,
    inTrash,
    change,
    selectAll,
    facets,
    emptyTrash: () => setPurging([]),
  });

  const onKey = (event: KeyboardEvent): boolean => {
    if (runKey(event.nativeEvent, "library")) return true;
    // The key that deletes on a Mac.
    if (event.key === "Backspace" && event.metaKey) return runCommand(inTrash ? "purge" : "trash");
    if (event.key === "Escape" && selection.ids.size > 1) {
      setSelection(takeFocused);
      return true;
    }
    return false;
  };

  return (
    <div className="flex h-full flex-col">
      <FilterBar filter={filter} facets={facets} onChange={change} />
      {inTrash && (facets?.trash ?? 0) > 0 && <TrashNote onEmpty={() => setPurging([])} />}
      {list.error && list.sessions.length === 0 ? (
        <ErrorState
          title={t("Could not read the sessions")}
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      ) : rows.length === 0 && !list.isPending ? (
        <EmptyLibrary
          shelf={filter.shelf}
          narrowed={isNarrowed(filter)}
          ofParent={filter.parent !== null}
          query={filter.query.trim()}
          onClear={() =>
            change({ ...noFilter, shelf: filter.shelf, sort: filter.sort, group: filter.group })
          }
        />
      ) : (
        <ShownSessions
          ref={handle}
          {...{
            shown,
            selection,
            setSelection,
            selected,
            actionsOn,
            tagging,
            titling,
            openId,
            onTake,
            onPress,
            onKey,
          }}
          {...{ renamingId, onRenaming: setRenamingId, onOpen, onEnter }}
        />
      )}
      {selection.ids.size > 1 && (
        <SelectionBar
          count={selection.ids.size}
          selected={selected}
          inTrash={inTrash}
          actions={actions}
          tagEntries={tagging.entries(selected)}
          onClear={() => {
            setSelection(takeFocused);
            handle.current?.focus();
          }}
        />
      )}
      {tagging.dialog}
      {titling.dialog}
      <PurgeDialog ids={purging} onClose={() => setPurging(undefined)} />
    </div>
  );
}

interface ShownSessionsProps {
  ref: Ref<SessionListHandle>;
  shown: ReturnType<typeof useShownSessions>;
  selection: Selection;
  setSelection: Dispatch<SetStateAction<Selection>>;
  selected: readonly Session[];
  actionsOn: ReturnType<typeof useSessionActions>;
  tagging: ReturnType<typeof useTagging>;
  titling: ReturnType<typeof useTitling>;
  openId: string;
  renamingId: string;
  onRenaming: (id: string) => void;
  onTake: (id: string, held: Held) => void;
  onPress: (id: string, held: Held) => void;
  onKey: (event: KeyboardEvent) => boolean;
  onOpen: (id: string) => void;
  onEnter: () => void;
}

/** The list of the sessions that match the filter, with their menu. */
function ShownSessions(props: ShownSessionsProps) {
  const { shown, selection, setSelection, selected, actionsOn, onRenaming } = props;
  const { filter, list, rows, order, byID, facets } = shown;
  const tags = facets?.tags ?? noTags;
  const tagColors = useMemo(() => new Map(tags.map(({ name, color }) => [name, color])), [tags]);
  const { hasNextPage, isFetching, fetchNextPage } = list;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage]);
  return (
    <ContextMenu
      entries={(target) => {
        const id = sessionIDAt(target);
        if (!id) return [];
        if (!selection.ids.has(id)) setSelection((now) => take(now, order, id, plain));
        const about = selection.ids.has(id) ? selected : [byID.get(id)].filter((one) => !!one);
        return sessionMenu(about, filter.shelf === "trash", actionsOn(about), [
          { title: t("Tags"), icon: TagIcon, entries: props.tagging.entries(about) },
          props.titling.entry(about),
        ]);
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
          ref={props.ref}
          rows={rows}
          missing={list.isPending ? firstGuess : Math.max(0, list.total - list.sessions.length)}
          total={list.total}
          listKey={shown.listKey}
          selectedIds={selection.ids}
          focusId={selection.focusId}
          openId={props.openId}
          renamingId={props.renamingId}
          tagColors={tagColors}
          onMissing={readMore}
          onTake={props.onTake}
          onPress={props.onPress}
          onMoveFocus={(id) => setSelection((now) => moveFocus(now, id))}
          onKey={props.onKey}
          onActivate={(id) => {
            props.onOpen(id);
            props.onEnter();
          }}
          onRename={(id, title) => {
            onRenaming("");
            const session = byID.get(id);
            if (session && title !== null) void rename(id, session.title, title);
          }}
        />
      </div>
    </ContextMenu>
  );
}

function TrashNote({ onEmpty }: { onEmpty: () => void }) {
  return (
    <div className="flex items-center gap-2 px-3 pb-2 text-sm text-text-3">
      <span className="flex-1">{t("Kept until you empty the trash.")}</span>
      <Button variant="quiet" onClick={onEmpty}>
        <Trash2 size={14} aria-hidden="true" />
        {commandSpec("empty-trash").title}
      </Button>
    </div>
  );
}

const noTags: readonly Tag[] = [];

/** Placeholder rows shown before the first page arrives. */
const firstGuess = 12;
