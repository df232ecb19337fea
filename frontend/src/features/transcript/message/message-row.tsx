import clsx from "clsx";
import { memo, useState } from "react";
import { authorStyle } from "@/components/session/author-style";
import { t } from "@/lib/i18n/i18n";
import { foldOf, foldOfRun, type Row } from "../path/plan";
import { useTranscript } from "../scope";
import { ReadsRun } from "../tools/reads-run";
import { WorkBar } from "../work/work-bar";
import { BlockView } from "./block-view";
import { Cited } from "./cited";
import { FoldedMessage } from "./folded-message";
import { LabelTag } from "./label-tag";
import { Linked } from "./linked";
import { MessageHeader } from "./message-header";
import { MessageToolbar } from "./message-toolbar";
import { describe, speakerOf } from "./speaker";
import { SummaryLine } from "./summary-line";

interface MessageRowProps {
  row: Row;
  /** Messages on the whole path, for screen readers. */
  length: number;
  /** It is the one that Tab reaches. */
  current: boolean;
  /** It was just gone to, and shines for a moment. */
  flash: boolean;
  /** The row above it is folded too: no space between them. */
  close: boolean;
}

/** One message of the path. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { row, length, current, flash, close } = props;
  const { message, look } = row;
  const [inside, setInside] = useState(false);
  const [menuOpen, setMenuOpen] = useState(false);
  const { session, authors } = useTranscript();
  const { tone } = speakerOf(message);
  const style = tone === "assistant" ? authorStyle(message.agent, authors) : undefined;
  // A header line has room at its right; any other line is full of words.
  const hasRoom = row.header && look === "message";
  return (
    <article
      aria-label={describe(message)}
      aria-posinset={row.index + 1}
      aria-setsize={length}
      tabIndex={current ? 0 : -1}
      style={style}
      className={clsx(
        "message",
        style ? "tone-author" : `tone-${tone}`,
        look === "message" && "ruled",
        row.header && !close && "opens",
        flash && "flash",
      )}
      onPointerEnter={() => setInside(true)}
      onPointerLeave={() => setInside(false)}
      onFocus={() => setInside(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setInside(false);
      }}
    >
      {look === "message" && !row.header && <LabelTag message={message} />}
      {look === "folded" && <FoldedMessage row={row} />}
      {look === "summary" && <SummaryLine row={row} />}
      {look === "message" && <Body row={row} />}
      {session.headUid === message.uid && row.index < length - 1 && <HeadLine />}
      {(inside || menuOpen) && (
        <div
          className={clsx(
            "message-tools",
            !hasRoom && "aside",
            hasRoom && message.siblings > 1 && "beside-pager",
          )}
        >
          <MessageToolbar message={message} narrow={!hasRoom} onMenu={setMenuOpen} />
        </div>
      )}
    </article>
  );
});

/** Marks the head inside of a path that continues below it. */
function HeadLine() {
  return (
    <p className="measure mt-2 flex items-center gap-3 text-sm text-accent">
      {t("Head: the next message goes here")}
      <span className="flex-1 border-t border-accent/40" />
    </p>
  );
}

function Body({ row }: { row: Row }) {
  const { message, items } = row;
  return (
    <>
      {row.header && <MessageHeader row={row} />}
      <Cited message={message} />
      {row.turn && <WorkBar turn={row.turn} />}
      <Linked message={message} about="itself" />
      {items.map((item) =>
        item.type === "reads" ? (
          <ReadsRun key={foldOfRun(item.cards)} cards={item.cards} />
        ) : (
          <BlockView key={foldOf(item.card)} card={item.card} />
        ),
      )}
      {message.error !== "" && (
        <p className="selectable measure my-1 text-error [overflow-wrap:anywhere]" dir="auto">
          {message.error}
        </p>
      )}
      {message.finishReason === "length" && (
        <p className="my-1 text-sm text-warn">
          {t("The answer was cut at the model's length limit.")}
        </p>
      )}
      {message.finishReason === "content_filter" && (
        <p className="my-1 text-sm text-warn">
          {t("The provider's content filter stopped the answer.")}
        </p>
      )}
      <Linked message={message} about="follower" />
    </>
  );
}
