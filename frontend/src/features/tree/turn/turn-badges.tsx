import { FoldVertical, History } from "lucide-react";
import { StatusDot } from "@/components/feedback/status-dot";
import { Tooltip } from "@/components/text/tooltip";
import { statusWord } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { compacted, runStatus, type Tree } from "@/lib/tree/skeleton";
import { byte } from "../layout/columns";
import { checkpointWords, turnCost } from "./turn-name";

/** What is worth knowing of a turn beside its words: the state of its run, that the context was summarised, that files were kept before it, what it cost. */
export function TurnBadges({ tree, turn }: { tree: Tree; turn: number }) {
  const flags = byte(tree.skeleton.flags, turn);
  const run = runStatus(flags);
  const cost = turnCost(tree, turn);
  const checkpoint = checkpointWords(tree, turn);
  return (
    <span aria-hidden="true" className="flex flex-none items-center [&>*]:ms-1.5 empty:hidden">
      {run && run !== "success" && (
        <Tooltip text={t("Run {{status}}", { status: statusWord(run) })}>
          <span className="flex">
            <StatusDot status={run} />
          </span>
        </Tooltip>
      )}
      {flags & compacted ? (
        <Tooltip text={t("The context was summarised here")}>
          <FoldVertical size={13} className="text-reasoning" />
        </Tooltip>
      ) : null}
      {checkpoint && (
        <Tooltip text={t("Before this turn: {{checkpoint}}, made by its tool", { checkpoint })}>
          <History size={13} className="text-text-3" />
        </Tooltip>
      )}
      {cost && <span className="hidden text-sm text-text-3 @[25rem]:inline">{cost}</span>}
    </span>
  );
}
