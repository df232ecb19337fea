import { Bookmark, Trash2, X } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { plural, t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";

interface MarkedBarProps {
  count: number;
  onClear: () => void;
}

/** The bar below the outline while turns are marked. */
export function MarkedBar({ count, onClear }: MarkedBarProps) {
  if (count === 0) return null;
  return (
    <div
      role="toolbar"
      aria-label={t("Marked turns")}
      className="flex h-10 flex-none items-center gap-0.5 border-t border-border bg-surface pe-2 ps-4"
    >
      <span className="flex-1 truncate" aria-live="polite">
        {plural(count, "{{count}} turn marked", "{{count}} turns marked")}
      </span>
      <IconButton
        icon={Bookmark}
        label={t("Bookmark")}
        keys="B"
        side="top"
        onClick={() => runCommand("bookmark")}
      />
      <IconButton
        icon={Trash2}
        label={t("Move to trash with what follows")}
        keys="Delete"
        side="top"
        onClick={() => runCommand("trash-turns")}
      />
      <IconButton
        icon={X}
        label={t("Unmark all turns")}
        keys="Escape"
        side="top"
        onClick={onClear}
      />
    </div>
  );
}
