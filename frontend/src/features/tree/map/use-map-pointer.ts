import { type MouseEvent, type PointerEvent, useRef } from "react";
import { pageZoom } from "./map-controller";

interface MapPointer {
  /** The turn under the pointer; -1 for none. */
  turnUnder: (event: { clientX: number; clientY: number }) => number;
  /** The shape of the pointer there; empty for that of the map. */
  cursorUnder: (event: PointerEvent) => string;
  /** Takes a press on a turn, to drag it; false where the map is to be moved. */
  onTake: (event: PointerEvent) => boolean;
  onPan: (right: number, down: number) => void;
  onHover: (turn: number) => void;
  onClick: (turn: number) => void;
  onDoubleClick: (turn: number) => void;
}

/** A pointer that has moved less than this has clicked. */
const slack = 4;

/** The listeners of a map: a drag moves it or a turn, a click without one hits a turn. */
export function useMapPointer({
  turnUnder,
  cursorUnder,
  onTake,
  onPan,
  onHover,
  onClick,
  onDoubleClick,
}: MapPointer) {
  const pressed = useRef<{ x: number; y: number; isDrag: boolean }>(null);
  const wasDrag = useRef(false);
  // The first click may change the path and so move the map; the second one means the same turn.
  const clicked = useRef(-1);
  const leave = () => onHover(-1);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      wasDrag.current = false;
      if (onTake(event)) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pressed.current = { x: event.clientX, y: event.clientY, isDrag: false };
      leave();
    },
    onPointerMove: (event: PointerEvent) => {
      const drag = pressed.current;
      if (!drag) {
        if (event.currentTarget instanceof HTMLElement)
          event.currentTarget.style.cursor = cursorUnder(event);
        onHover(turnUnder(event));
        return;
      }
      const right = drag.x - event.clientX;
      const down = drag.y - event.clientY;
      if (!drag.isDrag && Math.hypot(right, down) < slack) return;
      onPan(right / pageZoom(), down / pageZoom());
      pressed.current = { x: event.clientX, y: event.clientY, isDrag: true };
    },
    onPointerUp: () => {
      wasDrag.current = pressed.current?.isDrag === true;
      pressed.current = null;
    },
    onPointerCancel: () => {
      pressed.current = null;
    },
    onPointerLeave: leave,
    onWheel: leave,
    onClick: (event: MouseEvent) => {
      if (event.detail > 1) return;
      clicked.current = wasDrag.current ? -1 : turnUnder(event);
      if (clicked.current >= 0) onClick(clicked.current);
    },
    onDoubleClick: () => {
      if (clicked.current >= 0) onDoubleClick(clicked.current);
    },
  };
}
