import { formatDuration } from "@/lib/format/format";
import { useFold } from "../path/folds";
import { type Card, foldOf, foldOfRun } from "../path/plan";
import { useTranscript } from "../scope";
import { FoldLine } from "../text/fold-line";
import { describeRun } from "./run-words";
import { ToolCard } from "./tool-card";

/** A run of calls that only looked at things: one line, "7 reads · 3 searches", opening to their cards. */
export function ReadsRun({ cards }: { cards: readonly Card[] }) {
  const { folds } = useTranscript();
  const [open, toggle] = useFold(folds, foldOfRun(cards));
  const { words, targets } = describeRun(cards);
  const lasted = formatDuration(cards.reduce((sum, { block }) => sum + block.durationMs, 0));
  return (
    <div className="measure-card -ms-2">
      <FoldLine open={open} onToggle={toggle} className="text-text-2">
        <span className="shrink-0">{words}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-text-3" title={targets}>
          {open ? "" : targets}
        </span>
        <span className="shrink-0 text-sm text-text-3">{lasted}</span>
      </FoldLine>
      {open && (
        <div className="ms-[14px] border-s border-border ps-4">
          {cards.map((card) => (
            <ToolCard key={foldOf(card)} card={card} />
          ))}
        </div>
      )}
    </div>
  );
}
