import { Tooltip } from "@/components/text/tooltip";
import { formatClock, formatExact } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import type { Row } from "../path/plan";
import { LabelTag } from "./label-tag";
import { Pager } from "./pager";
import { speakerOf } from "./speaker";
import { Spent } from "./spent";

/** The line above a message: who, which model, when, what it cost, its label and its alternatives. */
export function MessageHeader({ row }: { row: Row }) {
  const { message } = row;
  const { word } = speakerOf(message);
  const model = shortModel(message.model);
  return (
    <div className="measure mb-[3px] flex h-[22px] items-center gap-2.5 text-sm text-text-3">
      <span className="role-word max-w-60 shrink-0 truncate font-semibold" dir="auto" title={word}>
        {word}
      </span>
      {model !== "" && (
        // A short name takes no more room than it needs, and gives none away.
        <span className={model.length > 4 ? "min-w-8 truncate" : "shrink-0"} title={message.model}>
          {model}
        </span>
      )}
      {message.createdAtMs > 0 && (
        <Tooltip text={formatExact(message.createdAtMs)}>
          <span className="shrink-0">{formatClock(message.createdAtMs)}</span>
        </Tooltip>
      )}
      <Spent totals={row.totals} />
      <LabelTag message={message} />
      <span className="flex-1" />
      {message.siblings > 1 && <Pager message={message} />}
    </div>
  );
}
