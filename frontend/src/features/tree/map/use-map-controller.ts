import { type RefObject, useEffect, useRef } from "react";
import { onResize } from "@/lib/browser/on-resize";
import { pointIn } from "@/lib/browser/zoom";
import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import { MapController } from "./map-controller";

/** The controller of a map on its canvases, kept to the size of the frame, the theme and the wheel. Null before the first effect. */
export function useMapController(
  frame: RefObject<HTMLElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  minimap: RefObject<HTMLCanvasElement | null>,
  words: TurnWords,
  work: TurnWork,
) {
  const controller = useRef<MapController>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element || !canvas.current || !minimap.current) return;
    const map = new MapController(canvas.current, minimap.current, words, work);
    controller.current = map;
    const stopMeasuring = onResize(element, () =>
      map.resize({ width: element.clientWidth, height: element.clientHeight }),
    );
    const themed = new MutationObserver(() => map.refreshTheme());
    themed.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-theme", "style"],
    });
    // A wheel listener of React cannot keep the page from zooming.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 28 : 1;
      if (event.ctrlKey || event.metaKey)
        map.zoom(Math.exp(-event.deltaY * unit * 0.0025), pointIn(element, event));
      else map.pan(event.deltaX * unit, event.deltaY * unit);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      element.removeEventListener("wheel", wheel);
      stopMeasuring();
      themed.disconnect();
      map.dispose();
      controller.current = null;
    };
  }, [frame, canvas, minimap, words, work]);
  return controller;
}
