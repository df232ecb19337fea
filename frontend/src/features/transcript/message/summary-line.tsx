import { formatPlural } from "@/lib/format/format";
import { useFold } from "../path/folds";
import { foldOfRow, type Row } from "../path/plan";
import { useTranscript } from "../scope";
import { BlockView } from "./block-view";
import { LabelTag } from "./label-tag";
import { Pager } from "./pager";

/** Where a summary took the place of what came before, in the model's context: a dashed line that opens to it. */
export function SummaryLine({ row }: { row: Row }) {
  const { folds } = useTranscript();
  const { message } = row;
  const [open, toggle] = useFold(folds, foldOfRow(row));
  const words =
    message.kind === "branch_summary"
      ? "Summary of another branch"
      : `${formatPlural(message.depth, "message")} summarised`;
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
          {words} · {open ? "hide" : "show"}
        </button>
        <LabelTag message={message} />
        {message.siblings > 1 && <Pager message={message} />}
        <span className="flex-1 border-t border-dashed border-border-strong/50" />
      </div>
      {open && (
        <div className="mt-2 text-text-2">
          <p className="mb-1 text-sm text-text-3">
            The model continued from this summary
            {message.kind === "branch_summary"
              ? "."
              : ` instead of the ${formatPlural(message.depth, "message")} above. They are still in the session.`}
          </p>
          {message.blocks.map((block) => (
            <BlockView key={block.part} card={{ message, block }} />
          ))}
        </div>
      )}
    </>
  );
}
