import { ChevronDown, ChevronUp, Search, X } from "lucide-react";
import { type KeyboardEvent, type RefObject, useLayoutEffect } from "react";
import { IconButton } from "@/components/form/icon-button";
import { formatCount } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

interface FindBarProps {
  field: RefObject<HTMLInputElement | null>;
  text: string;
  onText: (text: string) => void;
  /** How many turns have it; undefined while that is not known. */
  count: number | undefined;
  /** The place of the selected turn among them, from 0; -1 where it is none of them. */
  at: number;
  onStep: (step: 1 | -1) => void;
  onClose: () => void;
}

/** The field that finds in the tree: Enter goes to the next hit, Shift+Enter to the previous one, Esc ends it and leaves the turn selected. */
export function FindBar({ field, text, onText, count, at, onStep, onClose }: FindBarProps) {
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [field]);
  const handleKey = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1);
    else if (step) onStep(event.shiftKey ? -1 : step);
    else return;
    event.preventDefault();
  };
  return (
    <search className="flex h-9 flex-none items-center gap-1 border-b border-border bg-surface pe-2 ps-3">
      <Search size={14} className="flex-none text-text-3" aria-hidden="true" />
      <input
        ref={field}
        value={text}
        dir="auto"
        spellCheck={false}
        aria-label={t("Find in tree")}
        aria-describedby="tree-found"
        placeholder={t("Find in tree")}
        className="h-7 min-w-0 flex-1 bg-transparent px-1 outline-none placeholder:text-text-3"
        onChange={(event) => onText(event.target.value)}
        onKeyDown={handleKey}
      />
      <span id="tree-found" role="status" className="flex-none px-1 text-sm text-text-2">
        {tell(text, count, at)}
      </span>
      <IconButton
        icon={ChevronUp}
        label={t("Previous turn found")}
        keys="Shift+Enter"
        disabled={!count}
        onClick={() => onStep(-1)}
      />
      <IconButton
        icon={ChevronDown}
        label={t("Next turn found")}
        keys="Enter"
        disabled={!count}
        onClick={() => onStep(1)}
      />
      <IconButton icon={X} label={t("Close the search")} keys="Escape" onClick={onClose} />
    </search>
  );
}

const steps: Record<string, 1 | -1> = { ArrowDown: 1, ArrowUp: -1, F3: 1 };

function tell(text: string, count: number | undefined, at: number): string {
  if (text.trim() === "") return "";
  if (count === undefined) return "…";
  if (count === 0) return t("not found");
  return at < 0
    ? formatCount(count)
    : t("{{number}} of {{total}}", { number: at + 1, total: count });
}
