import { formatPlural } from "@/lib/format/format";
import { useFold } from "../path/folds";
import { foldOfRow, type Row } from "../path/plan";
import { useTranscript } from "../scope";
import { FoldLine } from "../text/fold-line";
import { BlockView } from "./block-view";
import { LabelTag } from "./label-tag";
import { Pager } from "./pager";
import { speakerOf } from "./speaker";

/** A message that the tool put in, or a local command: one line that opens to its text. */
export function FoldedMessage({ row }: { row: Row }) {
  const { folds } = useTranscript();
  const { message } = row;
  const [open, toggle] = useFold(folds, foldOfRow(row));
  const lines = message.blocks.reduce((sum, block) => sum + block.lines, 0);
  const first = message.blocks.find(({ text }) => text !== "")?.text ?? "";
  return (
    <>
      <div className="measure-card -ms-2 flex items-center gap-2">
        <FoldLine
          open={open}
          onToggle={toggle}
          still={message.blocks.length === 0}
          className="text-text-3"
        >
          <span className="shrink-0 text-sm font-semibold text-text-2">
            {speakerOf(message).word}
          </span>
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {open ? "" : first}
          </span>
          {lines > 1 && <span className="shrink-0 text-sm">{formatPlural(lines, "line")}</span>}
        </FoldLine>
        <LabelTag message={message} />
        {message.siblings > 1 && <Pager message={message} />}
      </div>
      {open && (
        <div className="mt-1 mb-2 text-text-2">
          {message.blocks.map((block) => (
            <BlockView key={block.part} card={{ message, block }} />
          ))}
        </div>
      )}
    </>
  );
}
