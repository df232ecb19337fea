import { Archive, ArchiveRestore, Download, Pin, PinOff, RotateCcw, Trash2, X } from "lucide-react";
import { IconButton } from "@/components/icon-button";
import { formatCount } from "@/lib/format";
import type { SessionMenuActions } from "./session-menu";

interface SelectionBarProps {
  count: number;
  inTrash: boolean;
  allPinned: boolean;
  allArchived: boolean;
  actions: SessionMenuActions;
  onClear: () => void;
}

/** The bar under the list while more than one session is selected. */
export function SelectionBar(props: SelectionBarProps) {
  const { count, inTrash, allPinned, allArchived, actions, onClear } = props;
  return (
    <div
      role="toolbar"
      aria-label="Selected sessions"
      className="flex h-10 shrink-0 items-center gap-0.5 border-t border-border bg-surface pr-2 pl-4"
    >
      <span className="flex-1 truncate" aria-live="polite">
        {formatCount(count)} selected
      </span>
      {inTrash ? (
        <>
          <IconButton icon={RotateCcw} label="Restore" onClick={actions.restore} side="top" />
          <IconButton
            icon={Trash2}
            label="Delete for good…"
            keys="Delete"
            onClick={actions.purge}
            side="top"
            className="text-error"
          />
        </>
      ) : (
        <>
          <IconButton
            icon={allPinned ? PinOff : Pin}
            label={allPinned ? "Unpin" : "Pin"}
            command="pin"
            onClick={actions.pin}
            side="top"
          />
          <IconButton
            icon={allArchived ? ArchiveRestore : Archive}
            label={allArchived ? "Take out of the archive" : "Archive"}
            command="archive"
            onClick={actions.archive}
            side="top"
          />
          <IconButton
            icon={Download}
            label="Export…"
            command="export-sessions"
            onClick={actions.export}
            side="top"
          />
          <IconButton
            icon={Trash2}
            label="Move to the trash"
            keys="Delete"
            onClick={actions.trash}
            side="top"
          />
        </>
      )}
      <IconButton icon={X} label="Select only one" keys="Escape" onClick={onClear} side="top" />
    </div>
  );
}
