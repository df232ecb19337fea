import clsx from "clsx";
import { RotateCcw } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { Tooltip } from "@/components/text/tooltip";
import type { Checkpoint } from "@/lib/api/api";
import { formatAge, formatClock, formatExact } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { settingsWords } from "./settings-words";

interface CheckpointRowProps {
  checkpoint: Checkpoint;
  /** The one before it, which is below it. */
  before: Checkpoint | undefined;
  nowMs: number;
  /** The session continues from its message. */
  isHead: boolean;
  onSelect: () => void;
  onView: () => void;
  onRestore: () => void;
}

/** A checkpoint: its name or its step, when it was made, and what changed in the settings. */
export function CheckpointRow(props: CheckpointRowProps) {
  const { checkpoint, before, nowMs, isHead, onSelect, onView, onRestore } = props;
  const { id, name, createdAtMs, damaged } = checkpoint;
  const words = settingsWords(checkpoint, before);
  return (
    <div className="group relative flex h-13 items-center gap-3 pe-2 ps-4 focus-within:bg-sunken hover:bg-sunken">
      <span
        aria-hidden="true"
        className="relative flex h-full w-3 flex-none items-center justify-center"
      >
        <span className="absolute inset-y-0 w-0.5 bg-border" />
        <span
          className={clsx(
            "relative size-2.5 rounded-full border-2",
            name ? "border-accent bg-accent" : "border-border-strong bg-surface",
          )}
        />
      </span>
      <Tooltip text={formatExact(createdAtMs)} side="left">
        <button
          type="button"
          data-checkpoint={id}
          aria-current={isHead ? "true" : undefined}
          className="min-w-0 flex-1 self-stretch text-start"
          onFocus={onSelect}
          onClick={onView}
        >
          <span className="flex items-baseline gap-2">
            <span dir="auto" className={clsx("min-w-0 truncate", name && "font-semibold")}>
              {name || t("Step at {{time}}", { time: formatClock(createdAtMs) })}
            </span>
            <span className="flex-none font-mono text-sm text-text-3">{id}</span>
            {isHead && <span className="flex-none text-sm text-accent">{t("current")}</span>}
          </span>
          <span className="block truncate text-sm text-text-3">
            {formatAge(createdAtMs, nowMs)}
            {words && <span className="text-text-2"> · {words}</span>}
            {damaged && <span className="text-warn"> · {t("run state damaged")}</span>}
          </span>
        </button>
      </Tooltip>
      <span className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100">
        <IconButton icon={RotateCcw} label={t("Restore checkpoint")} onClick={onRestore} />
      </span>
    </div>
  );
}
