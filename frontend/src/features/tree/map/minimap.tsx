import type { PointerEvent, RefObject } from "react";
import { pointIn } from "@/lib/browser/zoom";

interface MinimapProps {
  canvas: RefObject<HTMLCanvasElement | null>;
  onGo: (x: number, y: number) => void;
}

/** The whole map small. A click or a drag goes there; keys have the map itself. */
export function Minimap({ canvas, onGo }: MinimapProps) {
  const go = (event: PointerEvent) => {
    if (event.buttons % 2 === 0) return;
    if (!canvas.current) return;
    const { x, y } = pointIn(canvas.current, event);
    onGo(x, y);
  };
  return (
    <div aria-hidden="true">
      <canvas
        ref={canvas}
        hidden
        className="absolute end-3 bottom-3 rounded border border-border bg-bg"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={go}
      />
    </div>
  );
}
