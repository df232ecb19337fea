import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Skeleton } from "@/components/feedback/skeleton";
import { isMenuKey, openMenuAt } from "@/components/menu/context-menu";
import { onResize } from "@/lib/browser/on-resize";
import { TypeAhead } from "@/lib/browser/type-ahead";
import { t } from "@/lib/i18n/i18n";
import type { Row } from "./grouped-rows";
import { RenameField } from "./rename-field";
import { type Held, moveTo } from "./selection";
import { SessionRow } from "./session-row";
import { useMinute } from "./use-minute";

/** Methods of the list for other components. */
export interface SessionListHandle {
  focus: () => void;
  /** Scrolls to a session if it is loaded. */
  reveal: (id: string) => void;
}

interface SessionListProps {
  ref: Ref<SessionListHandle>;
  rows: readonly Row[];
  /** Sessions that are not loaded yet, below the rows. */
  missing: number;
  total: number;
  /** Another list starts at its top. */
  listKey: string;
  selectedIds: ReadonlySet<string>;
  focusId: string;
  openId: string;
  renamingId: string;
  tagColors: ReadonlyMap<string, string>;
  /** The sessions below are needed. */
  onMissing: () => void;
  /** A key selects a session. */
  onTake: (id: string, held: Held) => void;
  /** A click selects a session. */
  onPress: (id: string, held: Held) => void;
  onMoveFocus: (id: string) => void;
  /** A key that does not move the focus; returns true if it was handled. */
  onKey: (event: KeyboardEvent) => boolean;
  onActivate: (id: string) => void;
  onRename: (id: string, title: string | null) => void;
}

const sessionHeight = 52;
/** With the line of the last answer. */
const roomyHeight = 70;
/** The width of the list from which there is room for that line. */
const roomyWidth = 320;
const headingHeight = 30;

/** The list of sessions, of any length: only visible rows are drawn. */
export function SessionList(props: SessionListProps) {
  const { rows, missing, total, listKey, selectedIds, focusId, openId, renamingId } = props;
  const { tagColors } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const nowMs = useMinute();
  const places = useMemo(() => {
    const places: number[] = [];
    rows.forEach((row, index) => {
      if (row.type === "session") places.push(index);
    });
    return places;
  }, [rows]);
  const indexOf = useMemo(() => new Map(rows.map((row, index) => [row.key, index])), [rows]);
  const focusIndex = indexOf.get(focusId) ?? -1;
  const renamingIndex = indexOf.get(renamingId) ?? -1;

  const roomy = useRoomy(scroller);
  const virtualizer = useRowWindow(scroller, rows, missing, focusIndex, roomy);
  const items = virtualizer.getVirtualItems();

  const { onMissing } = props;
  const lastSeen = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (missing > 0 && lastSeen >= rows.length - 20) onMissing();
  }, [missing, lastSeen, rows.length, onMissing]);

  useAnchor(scroller, virtualizer, rows, indexOf, listKey);

  const reveal = (id: string) => {
    const index = indexOf.get(id);
    if (index === undefined) return;
    // The day of the first session is read with it.
    virtualizer.scrollToIndex(index === 1 ? 0 : index, { align: "auto" });
  };
  useImperativeHandle(props.ref, () => ({ focus: () => list.current?.focus(), reveal }));

  const onKeyDown = useListKeys(props, { scroller, places, focusIndex, reveal });

  const onClick = (event: MouseEvent) => {
    const id = sessionIDAt(event.target as HTMLElement);
    list.current?.focus({ preventScroll: true });
    if (id) props.onPress(id, { shift: event.shiftKey, control: event.ctrlKey || event.metaKey });
  };

  return (
    // An opaque background, so that it scrolls as a layer.
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain bg-bg">
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        <div
          ref={list}
          data-pane-focus
          role="listbox"
          aria-label={t("Sessions")}
          aria-multiselectable="true"
          aria-activedescendant={focusIndex >= 0 ? optionID(focusId) : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onClick={onClick}
          onDoubleClick={() => focusId && props.onActivate(focusId)}
          className="group/list absolute inset-0 outline-none"
        >
          {items.map((item) => (
            <ListRow
              key={item.key}
              row={rows[item.index]}
              position={{ height: item.size, transform: `translateY(${item.start}px)` }}
              nowMs={nowMs}
              {...{ selectedIds, focusId, openId, total, roomy, tagColors }}
            />
          ))}
        </div>
        {renamingIndex >= 0 && (
          <Renaming
            row={rows[renamingIndex]}
            top={virtualizer.measurementsCache[renamingIndex]?.start ?? 0}
            onDone={(title) => {
              props.onRename(renamingId, title);
              list.current?.focus({ preventScroll: true });
            }}
          />
        )}
      </div>
    </div>
  );
}

/** Decides which rows are drawn. */
function useRowWindow(
  scroller: RefObject<HTMLDivElement | null>,
  rows: readonly Row[],
  missing: number,
  focusIndex: number,
  roomy: boolean,
) {
  const height = roomy ? roomyHeight : sessionHeight;
  const virtualizer = useVirtualizer({
    count: rows.length + missing,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.type === "heading" ? headingHeight : height),
    getItemKey: useCallback((index: number) => rows[index]?.key ?? `missing ${index}`, [rows]),
    overscan: 6,
    // The focused row stays drawn, so that aria-activedescendant always names something.
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        if (focusIndex >= 0 && !indexes.includes(focusIndex)) indexes.push(focusIndex);
        return indexes.sort((a, b) => a - b);
      },
      [focusIndex],
    ),
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height of all rows has changed
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  return virtualizer;
}

/** Reports whether rows have room for a third line. */
function useRoomy(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [roomy, setRoomy] = useState(false);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    return onResize(element, () => setRoomy(element.clientWidth >= roomyWidth));
  }, [scroller]);
  return roomy;
}

interface ListRowProps
  extends Pick<SessionListProps, "selectedIds" | "focusId" | "openId" | "total" | "tagColors"> {
  roomy: boolean;
  /** Undefined: the row is not loaded yet. */
  row: Row | undefined;
  position: CSSProperties;
  nowMs: number;
}

const rowLook = "absolute inset-x-0 top-0";

function ListRow(props: ListRowProps) {
  const { row, position, nowMs, selectedIds, focusId, openId, total } = props;
  if (!row) return <MissingRow style={position} className={rowLook} />;
  if (row.type === "heading")
    return (
      <div
        role="presentation"
        style={position}
        className={`${rowLook} flex items-end px-4 pb-1 text-xs text-text-3`}
      >
        {row.title}
      </div>
    );
  const { session } = row;
  const selected = selectedIds.has(session.id);
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the row
    <div
      id={optionID(session.id)}
      data-session={session.id}
      role="option"
      aria-selected={selected}
      aria-posinset={row.position}
      aria-setsize={total}
      style={position}
      className={`${rowLook} group ${
        session.id === focusId
          ? "group-focus-visible/list:outline-2 group-focus-visible/list:-outline-offset-2 group-focus-visible/list:outline-accent"
          : ""
      }`}
    >
      <SessionRow
        session={session}
        selected={selected}
        open={session.id === openId}
        nowMs={nowMs}
        roomy={props.roomy}
        tagColors={props.tagColors}
      />
    </div>
  );
}

interface ListGeometry {
  scroller: RefObject<HTMLElement | null>;
  /** The rows of sessions among all rows. */
  places: readonly number[];
  focusIndex: number;
  reveal: (id: string) => void;
}

/** The keyboard of the list: moves, letters that jump to a title, selection and menu. */
function useListKeys(
  props: SessionListProps,
  { scroller, places, focusIndex, reveal }: ListGeometry,
) {
  const { rows, focusId } = props;
  const typeAhead = useRef(new TypeAhead());
  return (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / sessionHeight) - 1);
    const row = rows[focusIndex];
    const at = row?.type === "session" ? row.position - 1 : -1;
    const idAt = (position: number) => rows[places[position] ?? -1]?.key ?? "";
    const control = event.ctrlKey || event.metaKey;
    const to = event.altKey ? undefined : moveTo(event.key, at, places.length, page);
    if (to !== undefined && places.length > 0) {
      event.preventDefault();
      if (control && !event.shiftKey) props.onMoveFocus(idAt(to));
      else props.onTake(idAt(to), { shift: event.shiftKey, control: false });
      reveal(idAt(to));
      return;
    }
    if (isMenuKey(event)) {
      event.preventDefault();
      const row = document.getElementById(optionID(focusId));
      if (row) openMenuAt(row);
      return;
    }
    if (event.key === " " && !typeAhead.current.isActive()) {
      event.preventDefault();
      if (focusId) props.onTake(focusId, { shift: event.shiftKey, control: true });
      return;
    }
    if (event.key === "Enter" && focusId) {
      event.preventDefault();
      props.onActivate(focusId);
      return;
    }
    if (props.onKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.key.length === 1 && !control && !event.altKey) {
      const begins = (index: number, word: string) => {
        const row = rows[places[index] ?? -1];
        return row?.type === "session" && row.session.title.toLowerCase().startsWith(word);
      };
      const found = typeAhead.current.type(event.key, places.length, at, begins);
      if (found < 0) return;
      event.preventDefault();
      props.onTake(idAt(found), { shift: false, control: false });
      reveal(idAt(found));
    }
  };
}

/** Over the row, beside the list: an option must not contain a field. */
function Renaming(props: {
  row: Row | undefined;
  top: number;
  onDone: (title: string | null) => void;
}) {
  if (props.row?.type !== "session") return null;
  return (
    <div className="absolute end-2 start-8" style={{ top: props.top + 4 }}>
      <RenameField
        title={props.row.session.title}
        onDone={props.onDone}
        onCancel={() => props.onDone(null)}
      />
    </div>
  );
}

function MissingRow(props: { style: CSSProperties; className: string }) {
  return (
    <div role="presentation" {...props}>
      <div className="flex h-full flex-col justify-center gap-2 pe-6 ps-10">
        <Skeleton className="h-3 w-4/5" />
        <Skeleton className="h-2.5 w-1/2" />
      </div>
    </div>
  );
}

const optionID = (id: string) => `session-${id}`;

/** The session whose row an element is in; empty: none. */
export function sessionIDAt(element: HTMLElement): string {
  return element.closest<HTMLElement>("[data-session]")?.dataset.session ?? "";
}

interface Positions {
  measurementsCache: readonly { start: number; end: number }[];
  scrollOffset: number | null;
}

/** Keeps the session at the top of the view where it is when sessions come or go above it. */
function useAnchor(
  scroller: React.RefObject<HTMLDivElement | null>,
  positions: Positions,
  rows: readonly Row[],
  indexOf: ReadonlyMap<string, number>,
  listKey: string,
) {
  const anchor = useRef({ key: "", offset: 0, listKey });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    if (anchor.current.listKey !== listKey) {
      anchor.current = { key: "", offset: 0, listKey };
      element.scrollTop = 0;
      return;
    }
    const index = indexOf.get(anchor.current.key);
    const start = index === undefined ? undefined : positions.measurementsCache[index]?.start;
    if (start === undefined || element.scrollTop === 0) return;
    const wanted = start + anchor.current.offset;
    if (Math.abs(wanted - element.scrollTop) > 1) element.scrollTop = wanted;
  }, [scroller, positions, indexOf, listKey]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const remember = () => {
      const top = element.scrollTop;
      const cache = positions.measurementsCache;
      const index = firstAt(cache, top);
      const row = rows[index];
      // A heading's key is its position, not its content; its session comes next.
      const at = row?.type === "heading" ? index + 1 : index;
      anchor.current = {
        key: rows[at]?.key ?? "",
        offset: top - (cache[at]?.start ?? 0),
        listKey,
      };
    };
    remember();
    element.addEventListener("scroll", remember, { passive: true });
    return () => element.removeEventListener("scroll", remember);
  }, [scroller, positions, rows, listKey]);
}

/** The first item that ends below `top`, by halving. */
function firstAt(cache: readonly { end: number }[], top: number): number {
  let low = 0;
  let high = cache.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cache[middle]?.end ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return low;
}
