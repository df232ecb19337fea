import { Tag, X } from "lucide-react";
import { ActionButton } from "@/actions/action-button";
import { IconButton } from "@/components/form/icon-button";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { type SessionMenuActions, sessionActions } from "./session-menu";

interface SelectionBarProps {
  count: number;
  selected: readonly Session[];
  inTrash: boolean;
  actions: SessionMenuActions;
  tagEntries: readonly MenuEntry[];
  onClear: () => void;
}

/** The bar under the list while more than one session is selected. */
export function SelectionBar({
  count,
  selected,
  inTrash,
  actions,
  tagEntries,
  onClear,
}: SelectionBarProps) {
  const offered = sessionActions(selected, inTrash, actions).filter(
    ({ isOffered }) => isOffered?.(selected) ?? true,
  );
  return (
    <div
      role="toolbar"
      aria-label={t("Selected sessions")}
      className="flex h-10 shrink-0 items-center gap-0.5 border-t border-border bg-surface pe-2 ps-4"
    >
      <span className="flex-1 truncate" aria-live="polite">
        {t("{{number}} selected", { number: count })}
      </span>
      {offered.map((action) => (
        <ActionButton
          key={action.name}
          action={action}
          target={selected}
          side="top"
          {...(action.danger && { className: "text-error" })}
        />
      ))}
      {!inTrash && (
        <Menu
          label={t("Tags")}
          side="top"
          align="end"
          entries={tagEntries}
          trigger={<IconButton icon={Tag} label={t("Tags")} side="top" />}
        />
      )}
      <IconButton
        icon={X}
        label={t("Select only one")}
        keys="Escape"
        onClick={onClear}
        side="top"
      />
    </div>
  );
}
