import type { MessageView } from "@/lib/api/api";
import { formatCount, formatTokens } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { useFold } from "../path/folds";
import { foldOfRow, type Row } from "../path/plan";
import { useTranscript } from "../scope";
import { BlockView } from "./block-view";
import { CoveredMessages } from "./covered-messages";
import { LabelTag } from "./label-tag";
import { Pager } from "./pager";

/** What the line shows while it is closed. */
function wordsOf({ kind, depth, compaction }: MessageView): string {
  if (kind === "branch_summary") return t("Summary of another branch");
  if (!compaction) return summarised(depth);
  const { strategy, coveredMessages, tokensBefore, tokensAfter } = compaction;
  const what = strategy === "blanking" ? t("Old tool output removed") : summarised(coveredMessages);
  return `${what} · ~${formatCount(tokensBefore)} → ${formatTokens(tokensAfter)}`;
}

function summarised(count: number): string {
  return plural(count, "{{count}} message summarised", "{{count}} messages summarised");
}

function explain({ kind, depth, compaction }: MessageView): string {
  if (kind === "branch_summary") return t("The model continued from this summary.");
  if (compaction?.strategy === "blanking")
    return t("The model is no longer sent the old output of tools. It is still in the session.");
  const messages = compaction
    ? plural(
        compaction.coveredMessages,
        "The model continued from this summary instead of the first message above, which is still in the session.",
        "The model continued from this summary instead of the first {{count}} messages above. They are still in the session.",
      )
    : plural(
        depth,
        "The model continued from this summary instead of the message above, which is still in the session.",
        "The model continued from this summary instead of the {{count}} messages above. They are still in the session.",
      );
  return compaction?.focus
    ? `${messages} ${t("Focus: {{focus}}", { focus: compaction.focus })}`
    : messages;
}

/** Where a summary took the place of what came before, in the model's context: a dashed line that opens to it. */
export function SummaryLine({ row }: { row: Row }) {
  const { folds } = useTranscript();
  const { message } = row;
  const [open, toggle] = useFold(folds, foldOfRow(row));
  const { compaction } = message;
  return (
    <>
      <div className="measure flex items-center gap-3 text-sm text-text-3">
        <span className="flex-1 border-t border-dashed border-border-strong/50" />
        <button
          type="button"
          aria-expanded={open}
          className="fold-line h-6 rounded px-1 hover:bg-sunken hover:text-text"
          onClick={toggle}
        >
          {wordsOf(message)} · {open ? t("hide") : t("show")}
        </button>
        <LabelTag message={message} />
        {message.siblings > 1 && <Pager message={message} />}
        <span className="flex-1 border-t border-dashed border-border-strong/50" />
      </div>
      {open && (
        <div className="mt-2 text-text-2">
          <p className="mb-1 text-sm text-text-3">{explain(message)}</p>
          {message.blocks.map((block) => (
            <BlockView key={block.part} card={{ message, block }} />
          ))}
          {compaction && compaction.coveredMessages > 0 && <CoveredMessages message={message} />}
        </div>
      )}
    </>
  );
}
