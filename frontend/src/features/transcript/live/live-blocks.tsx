import { memo } from "react";
import type { LiveBlock } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { Draft } from "@/lib/run/live";
import { useFold } from "../path/folds";
import { useTranscript } from "../scope";
import { FoldLine } from "../text/fold-line";
import { Prose } from "../text/prose";
import { groupBlocks, lastLine } from "./live-groups";

/** An answer as far as it is written. Only a block that has changed is drawn again. */
export function LiveBlocks({ draft }: { draft: Draft }) {
  return groupBlocks(draft.blocks).map((group) => {
    const key = group.blocks[0]?.index ?? 0;
    if (group.type === "prose")
      return (
        <div key={key} className="prose live-prose">
          {group.blocks.map((block) => (
            <Prose key={block.index} html={block.html} piece />
          ))}
        </div>
      );
    if (group.type === "reasoning")
      return <LiveReasoning key={key} fold={`live ${draft.id}:${key}`} blocks={group.blocks} />;
    return group.blocks.map((block) => <LiveTool key={block.index} block={block} />);
  });
}

/** Reasoning on its way: folded, with its last line. */
function LiveReasoning({ fold, blocks }: { fold: string; blocks: readonly LiveBlock[] }) {
  const { folds } = useTranscript();
  const [open, toggle] = useFold(folds, fold);
  return (
    <div className="measure-card -ms-2">
      <FoldLine open={open} onToggle={toggle} className="text-text-3">
        <span className="shrink-0 text-reasoning">{t("Reasoning")}</span>
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {open ? "" : lastLine(blocks.at(-1)?.html ?? "")}
        </span>
      </FoldLine>
      {open && (
        <div className="prose live-prose mt-1 mb-2 ms-2 border-s-2 border-reasoning/40 ps-3 text-text-2">
          {blocks.map((block) => (
            <Prose key={block.index} html={block.html} piece />
          ))}
        </div>
      )}
    </div>
  );
}

/** A call whose arguments are being written. */
const LiveTool = memo(function LiveTool({ block }: { block: LiveBlock }) {
  return (
    <div className="measure-card -ms-2">
      <FoldLine open={false} onToggle={() => {}} still className="font-mono text-text-2">
        <span className="run-dot" aria-hidden="true" />
        <span className="max-w-[45%] shrink-0 truncate font-semibold text-tool">
          {block.toolName || "tool"}
        </span>
        <span className="min-w-0 flex-1 truncate text-text-3">{block.text}</span>
      </FoldLine>
    </div>
  );
});
