import clsx from "clsx";
import { BlockView } from "@/features/transcript/message/block-view";
import { Cited } from "@/features/transcript/message/cited";
import { FoldedMessage } from "@/features/transcript/message/folded-message";
import { MessageHeader } from "@/features/transcript/message/message-header";
import { speakerOf } from "@/features/transcript/message/speaker";
import { SummaryLine } from "@/features/transcript/message/summary-line";
import { foldOf, foldOfRun, type Row } from "@/features/transcript/path/plan";
import { ReadsRun } from "@/features/transcript/tools/reads-run";

/** A message as in the transcript, without its actions. */
export function ComparedMessage({ row }: { row: Row }) {
  const { message, look } = row;
  return (
    <div
      className={clsx(
        "message min-w-0",
        `tone-${speakerOf(message).tone}`,
        look === "message" && "ruled",
        row.header && "opens",
      )}
    >
      {look === "folded" && <FoldedMessage row={row} />}
      {look === "summary" && <SummaryLine row={row} />}
      {look === "message" && row.header && <MessageHeader row={row} />}
      <Cited message={message} />
      {look === "message" &&
        row.items.map((item) =>
          item.type === "reads" ? (
            <ReadsRun key={foldOfRun(item.cards)} cards={item.cards} />
          ) : (
            <BlockView key={foldOf(item.card)} card={item.card} />
          ),
        )}
      {message.error !== "" && (
        <p className="selectable my-1 text-error [overflow-wrap:anywhere]" dir="auto">
          {message.error}
        </p>
      )}
    </div>
  );
}
