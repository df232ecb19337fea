import { useRef } from "react";
import { pageZoom } from "@/lib/browser/zoom";

interface DividerProps {
  label: string;
  /** The width of the pane beside it, in px; `initial` comes back at a double click. */
  value: number;
  initial: number;
  min: number;
  max: number;
  /** The pane is at the right of the line: it grows to the left. */
  mirrored?: boolean;
  onChange: (value: number) => void;
}

const stepPx = 16;

/** A line between panes that moves by pointer, arrow keys, Home and End. */
export function Divider({ label, value, initial, min, max, mirrored, onChange }: DividerProps) {
  const grip = useRef<{ x: number; value: number } | undefined>(undefined);
  const set = (next: number) => onChange(Math.round(Math.min(max, Math.max(min, next))));
  const release = () => {
    grip.current = undefined;
    delete document.documentElement.dataset.dragging;
  };
  // Where lines are written from the right, the panes are mirrored too.
  const isRtl = document.documentElement.dir === "rtl";
  const direction = Boolean(mirrored) === isRtl ? 1 : -1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes no focus and no value
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      className="relative z-20 w-px shrink-0 cursor-col-resize touch-none bg-border after:absolute after:inset-y-0 after:-start-1 after:w-[9px] hover:bg-border-strong focus-visible:bg-accent"
      // Or the drag would select the text that it passes.
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        document.documentElement.dataset.dragging = "";
        grip.current = { x: event.clientX, value };
      }}
      onPointerMove={(event) => {
        if (!grip.current) return;
        const moved = (event.clientX - grip.current.x) / pageZoom();
        set(grip.current.value + moved * direction);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onLostPointerCapture={release}
      onDoubleClick={() => set(initial)}
      onKeyDown={(event) => {
        const next = {
          ArrowLeft: value - stepPx * direction,
          ArrowRight: value + stepPx * direction,
          Home: min,
          End: max,
        }[event.key];
        if (next === undefined) return;
        event.preventDefault();
        set(next);
      }}
    />
  );
}
