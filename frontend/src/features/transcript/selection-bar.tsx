import { GitBranch, TextQuote } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Kbd } from "@/components/text/kbd";
import { rectIn } from "@/lib/browser/zoom";
import { t } from "@/lib/i18n/i18n";
import { type CommandName, commandSpec } from "@/lib/keys/commands";
import { ariaChord } from "@/lib/keys/keys";
import type { QuotePlace } from "./quote/use-quote";

interface SelectionBarProps {
  scroller: RefObject<HTMLElement | null>;
  onQuote: (place: QuotePlace) => void;
}

const gapPixels = 6;

/** Floats at what is selected in the transcript, with what can be done with it. */
export function SelectionBar({ scroller, onQuote }: SelectionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number }>();
  useLayoutEffect(() => {
    const box = scroller.current;
    const put = () => setPlace(bar.current && box ? placeOf(bar.current, box) : undefined);
    put();
    box?.addEventListener("scroll", put, { passive: true });
    return () => box?.removeEventListener("scroll", put);
  }, [scroller]);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t("Selected text")}
      style={place ?? { visibility: "hidden" }}
      // The selection must stay.
      onPointerDown={(event) => event.preventDefault()}
      onMouseDown={(event) => event.preventDefault()}
      className="absolute z-40 flex animate-appear rounded-lg border border-border bg-surface p-0.5 shadow-float"
    >
      <BarButton icon={GitBranch} command="quote-from" onClick={() => onQuote("branch")} />
      <BarButton icon={TextQuote} command="quote-here" onClick={() => onQuote("here")} />
    </div>
  );
}

interface BarButtonProps {
  icon: typeof GitBranch;
  command: CommandName;
  onClick: () => void;
}

function BarButton({ icon: Icon, command, onClick }: BarButtonProps) {
  const { title, keys } = commandSpec(command);
  const chord = keys[0] ?? "";
  return (
    <button
      type="button"
      aria-keyshortcuts={ariaChord(chord)}
      onClick={onClick}
      className="flex h-7 items-center gap-1.5 rounded px-2 whitespace-nowrap hover:bg-sunken"
    >
      <Icon size={14} className="text-text-2" aria-hidden="true" />
      {title}
      <Kbd chord={chord} />
    </button>
  );
}

/** Below the end of the selection, above its beginning where there is no room; undefined where neither is in sight. */
function placeOf(bar: HTMLElement, scroller: HTMLElement) {
  const selection = window.getSelection();
  const parent = bar.offsetParent;
  if (!parent || !selection || selection.rangeCount === 0) return undefined;
  const rects = [...selection.getRangeAt(0).getClientRects()].filter(({ width }) => width > 0);
  const [first, last] = [rects[0], rects.at(-1)];
  if (!first || !last) return undefined;
  const room = rectIn(parent, scroller.getBoundingClientRect());
  const start = rectIn(parent, first);
  const end = rectIn(parent, last);
  const below = end.bottom + gapPixels;
  const above = start.top - gapPixels - bar.offsetHeight;
  const fits = (top: number) => top >= room.top && top + bar.offsetHeight <= room.bottom;
  const top = [below, above].find(fits);
  if (top === undefined) return undefined;
  const wanted = top === below ? end.right - bar.offsetWidth / 2 : start.left;
  const most = room.right - bar.offsetWidth - 8;
  return { top, left: Math.max(room.left + 8, Math.min(wanted, most)) };
}
