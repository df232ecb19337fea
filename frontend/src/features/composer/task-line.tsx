import { Pencil, RefreshCw, X } from "lucide-react";
import { IconButton } from "@/components/icon-button";
import type { Task } from "./sending";

/** Says what is made anew, where something is. */
export function TaskLine({ task, onCancel }: { task: Task; onCancel: () => void }) {
  if (task.kind === "say") return null;
  const edits = task.kind === "edit";
  const Icon = edits ? Pencil : RefreshCw;
  return (
    <p className="flex h-8 items-center gap-2 border-b border-border pr-1 pl-3 text-sm text-text-2">
      <Icon size={13} aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">
        {edits ? "Editing" : "Answering"} n{task.prompt.turn} anew: a branch beside it, nothing is
        overwritten
      </span>
      <IconButton icon={X} label="Cancel" keys="Escape" className="!size-6" onClick={onCancel} />
    </p>
  );
}
