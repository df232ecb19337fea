import { X } from "lucide-react";
import { ActionButton } from "@/actions/action-button";
import { IconButton } from "@/components/form/icon-button";
import type { Session } from "@/lib/api/api";
import { formatCount } from "@/lib/format/format";
import { type SessionMenuActions, sessionActions } from "./session-menu";

interface SelectionBarProps {
  count: number;
  selected: readonly Session[];
  inTrash: boolean;
  actions: SessionMenuActions;
  onClear: () => void;
}

/** The bar under the list while more than one session is selected. */
export function SelectionBar({ count, selected, inTrash, actions, onClear }: SelectionBarProps) {
  const offered = sessionActions(selected, inTrash, actions).filter(
    ({ isOffered }) => isOffered?.(selected) ?? true,
  );
  return (
    <div
      role="toolbar"
      aria-label="Selected sessions"
      className="flex h-10 shrink-0 items-center gap-0.5 border-t border-border bg-surface pr-2 pl-4"
    >
      <span className="flex-1 truncate" aria-live="polite">
        {formatCount(count)} selected
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
      <IconButton icon={X} label="Select only one" keys="Escape" onClick={onClear} side="top" />
    </div>
  );
}
