import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { ContextMenu } from "@/components/menu/context-menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { afterPaint } from "@/lib/browser/after-paint";
import { t } from "@/lib/i18n/i18n";
import { commandFor } from "@/lib/keys/commands";
import { useLinkedTurns } from "@/lib/session/links";
import type { Tree } from "@/lib/tree/skeleton";
import { byte, int } from "../layout/columns";
import type { Folds } from "../layout/folds";
import { type OutlineModel, openChain, rowFor, setFold } from "../layout/outline-model";
import type { TurnWords } from "../turn/turn-words";
import { useWanted } from "../turn/use-turn-words";
import { gutterSize } from "./gutter";
import { markKey, outlineKey } from "./keyboard";
import { OutlineRow } from "./outline-row";
import { rowHeight } from "./row-height";
import { useAnchoredScroll } from "./use-anchored-scroll";
import { useFlash } from "./use-flash";
import { useFollowReading } from "./use-follow-reading";
import { useTypeAhead } from "./use-type-ahead";

/** What the outline asks for; it changes nothing itself. */
interface OutlineHandlers {
  onSelect: (turn: number) => void;
  /** Select a turn that may be folded away. */
  onReveal: (turn: number) => void;
  onFolds: (folds: Folds) => void;
  onView: (turn: number) => void;
  onContinue: (turn: number) => void;
  /** Labels the turn; the field appears at that height of the outline. */
  onLabel: (turn: number, top: number) => void;
  onChild: (turn: number) => void;
  /** Show the tree below the turn alone, or all of it again. */
  onHoist: (turn: number) => void;
  /** Mark the turn, or mark it no more. */
  onToggle: (turn: number) => void;
  /** Mark turns beside those that are. */
  onMark: (...turns: number[]) => void;
  /** The pointer rests on a turn, at that height of the outline; null: no longer. */
  onHover: (hover: { turn: number; top: number } | null) => void;
}

interface OutlineProps extends OutlineHandlers {
  model: OutlineModel;
  tree: Tree;
  words: TurnWords;
  /** The turn on screen in the transcript; -1 for none. */
  shown: number;
  /** The turn at the top of the transcript; -1 for none. */
  reading: number;
  selected: number;
  /** Changes when the transcript goes somewhere, so that its turn flashes. */
  flash: unknown;
  menuFor: (turn: number, row: number, top: number) => readonly MenuEntry[];
  /** Turn → 1 where it was found; null while nothing is looked for. */
  hits: Uint8Array | null;
  /** What is looked for. */
  find: string;
  /** The turns that are marked. */
  marked: ReadonlySet<number>;
}

/** The tree as a list of turns: a treegrid whose lanes show how they hang together. */
export function Outline(props: OutlineProps) {
  const { model, tree, words, shown, selected } = props;
  const { rows } = model;
  const linked = useLinkedTurns(tree.sessionId);
  const grid = useRef<HTMLDivElement>(null);
  const cursor = rowFor(model, selected);
  const virtualizer = useVirtualizer({
    count: rows.count,
    getScrollElement: () => grid.current,
    estimateSize: () => rowHeight,
    overscan: useOverscan(),
    initialRect: firstRoom,
    initialOffset: () => offsetOf(cursor, rows.count),
    getItemKey: useCallback((row: number) => rows.turn[row] ?? row, [rows]),
    // The row with the cursor stays, however far it is scrolled away, so that the focus does.
    rangeExtractor: useCallback((range: Range) => withRow(range, cursor), [cursor]),
  });
  useAnchoredScroll(grid, virtualizer, model, { cursor, selected, signal: props.flash });
  useFocusOnRow(grid, cursor);
  const items = virtualizer.getVirtualItems();
  // One object for all rows, so that visible rows are not drawn again.
  const gutter = useMemo(() => gutterSize(rows.lastLane), [rows]);
  useWanted(
    words,
    items.map(({ index }) => int(rows.turn, index)),
  );
  useFlash(grid, shown, props.flash);
  const readRow = rowFor(model, props.reading);
  useFollowReading(grid, virtualizer, readRow);
  const topOf = (row: number) => row * rowHeight - (grid.current?.scrollTop ?? 0);
  const handleKey = useOutlineKeys(props, grid, cursor, topOf);
  // The first click may change the path and so move the rows; the second one means the same turn.
  const clicked = useRef(-1);
  function handleClick(event: MouseEvent) {
    const row = rowOfEvent(event);
    if (row < 0 || event.detail > 1) return;
    const turn = int(rows.turn, row);
    if (event.ctrlKey || event.metaKey) {
      props.onSelect(turn);
      return int(rows.chain, row) > 0 ? undefined : props.onToggle(turn);
    }
    clicked.current = int(rows.chain, row) > 0 ? -1 : turn;
    props.onHover(null);
    props.onSelect(turn);
    if (int(rows.chain, row) > 0) props.onFolds(openChain(model, row));
    else if ((event.target as Element).closest("[data-unfold]"))
      props.onFolds(setFold(model, turn, false));
    else props.onView(turn);
  }

  return (
    <ContextMenu
      entries={(target) => {
        const row = rowOf(target);
        props.onHover(null);
        if (row < 0) return [];
        props.onSelect(int(rows.turn, row));
        return props.menuFor(int(rows.turn, row), row, topOf(row));
      }}
    >
      <div
        ref={grid}
        role="treegrid"
        aria-label={t("Turns")}
        aria-rowcount={rows.count}
        aria-colcount={2}
        // Its ground is opaque: only then does chromium scroll it as a layer and does not repaint the whole pane in each frame.
        className="@container min-h-0 flex-1 overflow-y-auto overflow-x-hidden bg-bg [overflow-anchor:none]"
        onKeyDown={handleKey}
        onClick={handleClick}
        onDoubleClick={() => clicked.current >= 0 && props.onContinue(clicked.current)}
        onMouseMove={(event) => {
          const row = rowOfEvent(event);
          const isTurn = row >= 0 && int(rows.chain, row) === 0;
          props.onHover(isTurn ? { turn: int(rows.turn, row), top: topOf(row) } : null);
        }}
        onMouseLeave={() => props.onHover(null)}
        onScroll={() => props.onHover(null)}
      >
        <div
          role="presentation"
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {items.map(({ index, key }) => (
            <OutlineRow
              key={key}
              model={model}
              tree={tree}
              words={words}
              row={index}
              gutter={gutter}
              shown={shown}
              isRead={index === readRow}
              isSelected={index === cursor}
              isMarked={props.marked.has(int(rows.turn, index))}
              isLinked={linked.has(int(tree.skeleton.number, int(rows.turn, index)))}
              isHit={props.hits && byte(props.hits, int(rows.turn, index)) === 1}
              find={props.find}
            />
          ))}
        </div>
      </div>
    </ContextMenu>
  );
}

/** The keyboard of the outline: letters that jump to a turn, and keys that move the cursor or act on its turn. */
function useOutlineKeys(
  props: OutlineProps,
  grid: React.RefObject<HTMLDivElement | null>,
  cursor: number,
  topOf: (row: number) => number,
) {
  const { model, tree, words, onSelect, onReveal } = props;
  const { rows } = model;
  const typeAhead = useTypeAhead({ tree, words, model, cursor, onSelect, onReveal });
  return (event: KeyboardEvent) => {
    if (event.target !== rowElement(grid.current, cursor)) return;
    const isLetterOfWord = typeAhead.isActive() || !commandFor(event, "tree", "turns");
    if (isLetterOfWord && isLetter(event)) {
      event.preventDefault();
      typeAhead.type(event.key);
      return;
    }
    const marks = markKey(event, model, cursor);
    if (marks) {
      event.preventDefault();
      if (marks.length === 1) props.onToggle(int(rows.turn, cursor));
      else props.onMark(...marks);
      return marks.length > 1 ? props.onSelect(marks[1] as number) : undefined;
    }
    const page = Math.max(1, Math.floor((grid.current?.clientHeight ?? 0) / rowHeight) - 1);
    const action = outlineKey(event, model, cursor, page);
    if (!action) return;
    event.preventDefault();
    if (action.do === "fold") props.onFolds(action.folds);
    else if (action.do === "label-turn") props.onLabel(action.turn, topOf(cursor));
    else
      ({
        go: props.onSelect,
        reveal: props.onReveal,
        "view-turn": props.onView,
        "continue-turn": props.onContinue,
        child: props.onChild,
        hoist: props.onHoist,
      })[action.do](action.turn);
  };
}

/** What is taken for the room of an outline that opens, so that its rows are drawn at once: what a window of usual height leaves it. */
const firstRoom = { width: 340, height: 560 };

/** Where an outline that opens is scrolled to, so that the row with the cursor is in its middle. */
function offsetOf(cursor: number, count: number): number {
  const middle = cursor * rowHeight - (firstRoom.height - rowHeight) / 2;
  return Math.max(0, Math.min(middle, count * rowHeight - firstRoom.height));
}

/** So many rows are drawn beyond those in sight, once those have been painted. */
const beyond = 8;

function useOverscan(): number {
  const [overscan, setOverscan] = useState(0);
  useEffect(() => afterPaint(() => setOverscan(beyond)), []);
  return overscan;
}

function withRow(range: Range, row: number): number[] {
  const rows = defaultRangeExtractor(range);
  if (row < 0 || row >= range.count || rows.includes(row)) return rows;
  return row < (rows[0] ?? 0) ? [row, ...rows] : [...rows, row];
}

function rowOf(target: Element): number {
  return Number(target.closest<HTMLElement>("[data-row]")?.dataset.row ?? -1);
}

function rowOfEvent(event: MouseEvent): number {
  return rowOf(event.target as Element);
}

function rowElement(grid: HTMLElement | null, row: number): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-row="${row}"]`) ?? null;
}

function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !ctrlKey && !metaKey && !altKey;
}

// Moves the focus along with the cursor while it is in the outline, also when its row was folded away.
function useFocusOnRow(grid: React.RefObject<HTMLElement | null>, cursor: number) {
  const isInside = useRef(false);
  useLayoutEffect(() => {
    const element = grid.current;
    if (!element) return;
    const enter = () => {
      isInside.current = true;
    };
    const leave = () => {
      isInside.current = false;
    };
    element.addEventListener("focusin", enter);
    element.addEventListener("focusout", leave);
    return () => {
      element.removeEventListener("focusin", enter);
      element.removeEventListener("focusout", leave);
    };
  }, [grid]);
  useLayoutEffect(() => {
    const row = rowElement(grid.current, cursor);
    if (isInside.current && row && document.activeElement !== row)
      row.focus({ preventScroll: true });
  });
}
