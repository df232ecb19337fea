import { type MouseEvent, type PointerEvent, useRef } from "react";
import { pageZoom } from "./map-controller";

interface MapPointer {
  /** The turn under the pointer; -1 for none. */
  turnUnder: (event: { clientX: number; clientY: number }) => number;
  onPan: (right: number, down: number) => void;
  onHover: (turn: number) => void;
  onClick: (turn: number) => void;
  onDoubleClick: (turn: number) => void;
}

/** A pointer that has moved less than this has clicked. */
const slack = 4;

/** The listeners of a map: a drag moves it, a click without one hits a turn. */
export function useMapPointer({ turnUnder, onPan, onHover, onClick, onDoubleClick }: MapPointer) {
  const pressed = useRef<{ x: number; y: number; isDrag: boolean }>(null);
  const wasDrag = useRef(false);
  // The first click may change the path and so move the map; the second one means the same turn.
  const clicked = useRef(-1);
  const leave = () => onHover(-1);
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pressed.current = { x: event.clientX, y: event.clientY, isDrag: false };
      leave();
    },
    onPointerMove: (event: PointerEvent) => {
      const drag = pressed.current;
      if (!drag) {
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
