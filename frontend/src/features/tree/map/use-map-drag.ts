import { type PointerEvent, type RefObject, useEffect } from "react";
import { pointIn } from "@/lib/browser/zoom";
import type { DragHandle } from "../drag/turn-drag";
import type { MapController } from "./map-controller";

/** The turns of the map that the pointer is on, takes, and drops others on. */
export function useMapDrag(
  canvas: RefObject<HTMLCanvasElement | null>,
  controller: RefObject<MapController | null>,
  { start, turnOnMap }: DragHandle,
) {
  const turnUnder = (event: { clientX: number; clientY: number }) => {
    if (!canvas.current) return -1;
    const { x, y } = pointIn(canvas.current, event);
    return controller.current?.turnAt(x, y) ?? -1;
  };
  const gripUnder = (event: { clientX: number; clientY: number }) => {
    if (!canvas.current) return undefined;
    const { x, y } = pointIn(canvas.current, event);
    return controller.current?.gripAt(x, y);
  };
  useEffect(() => {
    turnOnMap.current = turnUnder;
    return () => {
      turnOnMap.current = null;
    };
  });
  return {
    turnUnder,
    cursorUnder: (event: PointerEvent) => {
      const grip = gripUnder(event);
      if (!grip) return "";
      return grip.isPull ? "copy" : "pointer";
    },
    onTake: (event: PointerEvent) => {
      const grip = gripUnder(event);
      if (grip) start.current?.(grip.turn, grip.isPull, event);
      return grip !== undefined;
    },
  };
}
