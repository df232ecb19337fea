import { type PointerEvent, type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { pageZoom } from "@/lib/browser/zoom";
import { t } from "@/lib/i18n/i18n";
import type { Tree } from "@/lib/tree/skeleton";
import { calledTurn } from "../turn/turn-name";
import type { TurnWords } from "../turn/turn-words";
import { type Drop, type DropTarget, dropOf } from "./drop";
import { revealUnder } from "./reveal";

/** A turn that is dragged. */
interface Dragged {
  turn: number;
  /** It was taken at its edge: where it is dropped, a branch begins. */
  isPull: boolean;
  x: number;
  y: number;
  drop: Drop | undefined;
}

/** Begins a drag when the pointer has moved far enough with the button down. */
export type StartDrag = (turn: number, isPull: boolean, event: PointerEvent) => void;

/** How the parts of the tree take part in a drag. */
export interface DragHandle {
  /** Begins a drag; null before TurnDrag is mounted. */
  start: RefObject<StartDrag | null>;
  /** The turn of the map at a point, -1 for none; null while no map is shown. */
  turnOnMap: RefObject<((point: { clientX: number; clientY: number }) => number) | null>;
}

/** Makes the turns of a tree draggable: those of the outline and the timeline by their elements, those of the map by itself. */
export function useDragHandle() {
  const start = useRef<StartDrag>(null);
  const turnOnMap = useRef<(point: { clientX: number; clientY: number }) => number>(null);
  return useMemo(
    () => ({
      handle: { start, turnOnMap } satisfies DragHandle,
      onPointerDown: (event: PointerEvent) => {
        const row = event.target instanceof Element && event.target.closest("[data-turn]");
        const turn = row ? Number(row.getAttribute("data-turn")) : -1;
        if (event.button === 0 && turn >= 0) start.current?.(turn, false, event);
      },
    }),
    [],
  );
}

interface TurnDragProps {
  handle: DragHandle;
  tree: Tree;
  words: TurnWords;
  pane: RefObject<HTMLElement | null>;
  isFull: boolean;
  onDrop: (turn: number, drop: Drop) => void;
  onPull: (turn: number) => void;
}

/** A pointer that has moved less than this has clicked; */
const slack = 5;
/** and one that pulls has to move so far. */
const leastPull = 24;

/** The turn that follows the pointer, and what dropping it here does. Escape ends it without a change. */
export function TurnDrag(props: TurnDragProps) {
  const [dragged, setDragged] = useState<Dragged>();
  const newest = useRef(props);
  newest.current = props;
  const stop = useRef<() => void>(null);
  useEffect(() => {
    newest.current.handle.start.current = (turn, isPull, event) => {
      stop.current?.();
      stop.current = follow({ turn, isPull, from: event, props: () => newest.current, setDragged });
    };
    return () => stop.current?.();
  }, []);
  if (!dragged) return null;
  const zoom = pageZoom();
  return (
    <div
      role="status"
      data-drag-ghost
      className="pointer-events-none fixed z-50 max-w-72 rounded-lg border border-dashed border-accent bg-surface px-3 py-2 text-sm shadow-float"
      style={{ left: dragged.x / zoom + 14, top: dragged.y / zoom + 14 }}
    >
      <p className="truncate font-semibold">{nameOf(props.words, dragged.turn)}</p>
      <p className="text-text-2">{wordsOf(dragged, props.words)}</p>
      <p className="text-text-3">{t("Esc cancels")}</p>
    </div>
  );
}

interface Following {
  turn: number;
  isPull: boolean;
  from: PointerEvent;
  props: () => TurnDragProps;
  setDragged: (dragged: Dragged | undefined) => void;
}

/** Follows the pointer until its button is released, or Escape. Returns a function that ends it. */
function follow({ turn, isPull, from, props, setDragged }: Following): () => void {
  const begin = { x: from.clientX, y: from.clientY };
  const listeners = new AbortController();
  const { signal } = listeners;
  let now: Dragged | undefined;
  const end = () => {
    listeners.abort();
    document.documentElement.removeAttribute("data-dragging");
    revealUnder(props().pane.current, undefined);
    if (now) swallowClick();
    setDragged(undefined);
  };
  const move = (event: globalThis.PointerEvent) => {
    const [x, y] = [event.clientX, event.clientY];
    if (!now && Math.hypot(x - begin.x, y - begin.y) < slack) return;
    document.documentElement.setAttribute("data-dragging", "");
    const { pane, isFull, tree } = props();
    if (isFull && !isPull) revealUnder(pane.current, event);
    const drop = isPull
      ? undefined
      : dropOf(tree, turn, targetAt(x, y, props().handle.turnOnMap.current));
    now = { turn, isPull, x, y, drop };
    setDragged(now);
  };
  const release = () => {
    const { onDrop, onPull } = props();
    const last = now;
    end();
    if (last?.drop) onDrop(turn, last.drop);
    else if (last && isPull && Math.hypot(last.x - begin.x, last.y - begin.y) >= leastPull)
      onPull(turn);
  };
  const cancel = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !now) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", release, { signal });
  window.addEventListener("pointercancel", end, { signal });
  window.addEventListener("keydown", cancel, { signal, capture: true });
  return end;
}

/** The click that follows the release of the button is no click on what is below. */
function swallowClick(): void {
  const swallow = (event: MouseEvent) => event.stopPropagation();
  window.addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
}

function targetAt(
  clientX: number,
  clientY: number,
  turnOnMap: DragHandle["turnOnMap"]["current"],
): DropTarget | undefined {
  const element = document.elementFromPoint(clientX, clientY);
  const closest = (selector: string) => element?.closest<HTMLElement>(selector) ?? undefined;
  const row = closest("[data-turn]");
  if (row) return { kind: "turn", turn: Number(row.dataset.turn) };
  const session = closest("[data-session]")?.dataset.session;
  if (session) return { kind: "session", id: session };
  if (closest("[data-composer]")) return { kind: "composer" };
  if (!turnOnMap || !closest("[data-map]")) return undefined;
  const turn = turnOnMap({ clientX, clientY });
  return turn < 0 ? undefined : { kind: "turn", turn };
}

function nameOf(words: TurnWords, turn: number): string {
  const found = words.get(turn);
  return found ? calledTurn(found) : "…";
}

/** What happens where the turn is dropped now. */
function wordsOf({ isPull, drop }: Dragged, words: TurnWords): string {
  if (isPull) return t("Branch from here");
  switch (drop?.do) {
    case "copy":
      return t("Copy below {{turn}}", { turn: nameOf(words, drop.turn) });
    case "compare":
      return t("Compare with {{turn}}", { turn: nameOf(words, drop.turn) });
    case "copy-into":
      return t("Copy into this session");
    case "quote":
      return t("Quote in the composer");
    default:
      return t("Drop on a turn, a session or the composer");
  }
}
