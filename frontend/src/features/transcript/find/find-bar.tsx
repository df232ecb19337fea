import { ChevronDown, ChevronUp, X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import type { Find } from "./use-find";

interface FindBarProps {
  find: Find;
  /** Messages on the path. */
  length: number;
  /** Gives the focus back to the messages. */
  onClose: () => void;
}

/** The bar that finds a text in a session: Enter goes to the next message with it, Shift+Enter to the one before. */
export function FindBar({ find, length, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const { open, setOpen } = find;
  useCommand("find-in-session", () => {
    setOpen(true);
    field.current?.select();
  });
  useEffect(() => {
    if (open) field.current?.focus();
  }, [open]);
  if (!open) return null;
  const close = () => {
    setOpen(false);
    onClose();
  };
  return (
    <search className="relative z-10 flex h-9 shrink-0 items-center gap-2 border-b border-border bg-bg px-6">
      <input
        ref={field}
        type="search"
        aria-label={t("Find in session")}
        placeholder={t("Find in session")}
        dir="auto"
        value={find.text}
        onChange={({ target }) => find.setText(target.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") find.step(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") close();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
        className="h-7 min-w-0 max-w-96 flex-1 rounded border border-border-strong bg-surface px-2"
      />
      <span role="status" className="shrink-0 text-text-2">
        {countOf(find)}
      </span>
      <IconButton
        icon={ChevronUp}
        label={t("Previous hit")}
        keys="Shift+Enter"
        disabled={find.hits.length === 0}
        onClick={() => find.step(-1)}
      />
      <IconButton
        icon={ChevronDown}
        label={t("Next hit")}
        keys="Enter"
        disabled={find.hits.length === 0}
        onClick={() => find.step(1)}
      />
      {find.elsewhere > 0 && (
        <span className="min-w-0 truncate text-sm text-text-3">
          {t("{{count}} more in other branches", { count: find.elsewhere })}
        </span>
      )}
      <span className="flex-1" />
      <IconButton icon={X} label={t("Close")} keys="Escape" onClick={close} />
      <Marks find={find} length={length} />
    </search>
  );
}

function countOf({ hits, index, more, isDone, text, error }: Find): string {
  if (text.trim() === "") return "";
  if (error) return t("Could not search");
  if (!isDone) return t("Searching…");
  if (hits.length === 0) return t("No hits");
  return more
    ? t("{{number}} of {{total}}+", { number: index + 1, total: hits.length })
    : t("{{number}} of {{total}}", { number: index + 1, total: hits.length });
}

/** So many lines are drawn at most: a scroll bar has no more pixels. */
const most = 400;

/** Where the hits are on the path, beside the scroll bar of the messages. */
function Marks({ find: { hits, index }, length }: { find: Find; length: number }) {
  const places = new Map<number, number>();
  hits.forEach((hit, at) => {
    places.set(Math.round((hit.depth / Math.max(1, length - 1)) * most), at);
  });
  const current = hits[index];
  const currentPlace = current && Math.round((current.depth / Math.max(1, length - 1)) * most);
  const box = useRef<HTMLDivElement>(null);
  // As high as the messages, which begin below the bar.
  useLayoutEffect(() => {
    const feed = box.current?.closest(".transcript")?.querySelector("[role=feed]");
    if (box.current && feed) box.current.style.height = `${feed.clientHeight}px`;
  });
  return (
    <div ref={box} aria-hidden="true" className="find-marks">
      {[...places.keys()].map((place) => (
        <i
          key={place}
          className={place === currentPlace ? "current" : undefined}
          style={{ top: `${(place / most) * 100}%` }}
        />
      ))}
    </div>
  );
}
