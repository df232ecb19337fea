import { GitMerge, Pencil, RefreshCw, TextQuote, X } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import type { Task } from "./sending";

/** Shows what is edited or answered again, if anything. */
export function TaskLine({ task, onCancel }: { task: Task; onCancel: () => void }) {
  if (task.kind === "say") return null;
  const Icon = iconOf(task);
  return (
    <p className="flex h-8 items-center gap-2 border-b border-border pe-1 ps-3 text-sm text-text-2">
      <Icon size={13} aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">{wordsOf(task)}</span>
      <IconButton
        icon={X}
        label={t("Cancel")}
        keys="Escape"
        className="!size-6"
        onClick={onCancel}
      />
    </p>
  );
}

function iconOf(task: Exclude<Task, { kind: "say" }>) {
  if (task.kind === "cite") return task.request.act === "quote" ? TextQuote : GitMerge;
  return { edit: Pencil, regenerate: RefreshCw }[task.kind];
}

function wordsOf(task: Exclude<Task, { kind: "say" }>): string {
  if (task.kind === "cite") {
    return t("{{task}}: the message cites its sources", { task: task.request.title });
  }
  if (task.kind === "edit") return t("Editing this prompt: a new branch, nothing is overwritten");
  return t("Answering this prompt again: send to start. A new branch, nothing is overwritten");
}
