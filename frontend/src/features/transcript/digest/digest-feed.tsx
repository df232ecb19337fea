import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { toastDone } from "@/components/feedback/toast";
import { ContextMenu } from "@/components/menu/context-menu";
import type { MessageView, Session } from "@/lib/api/api";
import { writeClipboard } from "@/lib/browser/clipboard";
import { t } from "@/lib/i18n/i18n";
import { theEnd } from "../column/column";
import { SkeletonRow } from "../column/skeleton-row";
import { useColumn } from "../column/use-column";
import { contextEntries } from "../keys/context-entries";
import { LiveTail } from "../live/live-tail";
import { MessageRow } from "../message/message-row";
import type { DigestHandle } from "../path/mode";
import type { PathTurns } from "../path/path-turns";
import { useTranscript } from "../scope";
import { copyCodeBlock } from "../text/code-blocks";
import { InlineError } from "../text/inline-error";
import { WorkBar } from "../work/work-bar";
import { useDigestKeys } from "./use-digest-keys";
import { type DigestRows, useDigests } from "./use-digests";

interface DigestFeedProps {
  session: Session;
  leafUid: string;
  turns: PathTurns;
  /** Answers and work are shown, not the prompts alone. */
  answers: boolean;
  /** The turn to begin with. */
  opening: number;
  /** Set while it is on screen. */
  handle: RefObject<DigestHandle | undefined>;
  onPlace: (place: number) => void;
  /** A run writes at the end of the path. */
  isLive: boolean;
}

/** The turns of a path in short: prompts, and below them what was done and the final answers. */
export function DigestFeed(props: DigestFeedProps) {
  const { session, leafUid, turns, answers, handle, isLive } = props;
  const { actions } = useTranscript();
  const boxes = {
    scroller: useRef<HTMLDivElement>(null),
    spacer: useRef<HTMLDivElement>(null),
    slab: useRef<HTMLDivElement>(null),
    tail: useRef<HTMLDivElement>(null),
  };
  const [opening] = useState({
    length: turns.length,
    goal: { index: props.opening, align: "start" as const },
  });
  const view = useColumn(boxes, opening, () => {});
  const { range } = view;
  const digests = useDigests({
    sessionId: session.id,
    leafUid,
    turns,
    first: range.first,
    last: range.last,
  });
  useGrowth(turns, view.column, view.replace);
  useEffect(() => {
    view.column.follow(isLive);
    if (isLive) view.goTo(theEnd);
  }, [isLive, view.column, view.goTo]);

  const { current, place, onFocus, onKeyDown, goTo } = useDigestKeys(
    boxes.scroller,
    view,
    turns.length,
    props.opening,
  );
  const focused = useRef<MessageView>(undefined);
  useLayoutEffect(() => {
    handle.current = {
      goTo,
      place,
      get message() {
        return focused.current ?? digests.at(place)?.prompt?.message;
      },
    };
    return () => {
      handle.current = undefined;
    };
  });
  const { onPlace } = props;
  useEffect(() => onPlace(place), [onPlace, place]);

  const messageOf = (target: HTMLElement) => {
    const place = Number(target.closest<HTMLElement>("[data-row]")?.dataset.row ?? -1);
    const rows = digests.at(place);
    return target.closest("[data-part='answer']") ? rows?.answer : rows?.prompt;
  };
  const places: number[] = [];
  for (let place = range.first; place <= range.last; place++) places.push(place);
  return (
    <ContextMenu
      entries={(target) => contextEntries(target, { row: () => messageOf(target) }, actions)}
    >
      <div
        ref={boxes.scroller}
        role="feed"
        aria-label={answers ? t("Digest") : t("Prompts")}
        data-pane-focus=""
        tabIndex={-1}
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto bg-surface outline-none [overflow-anchor:none]"
        onScroll={view.onScroll}
        onPointerDown={view.release}
        onWheel={view.release}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          focused.current = messageOf(event.target as HTMLElement)?.message;
          onFocus(event);
        }}
        onClick={(event) => {
          if (copyCodeBlock(event.target, writeClipboard)) toastDone(t("Copied the code"));
        }}
      >
        <div ref={boxes.spacer} className="relative overflow-hidden">
          <div ref={boxes.slab} className="absolute inset-x-0 top-0">
            {places.map((place) => (
              <div
                key={turns.numbers[place] ?? place}
                data-row={place}
                data-known={digests.at(place) ? "" : undefined}
                className="messages-inset flow-root"
              >
                <DigestTurn
                  rows={digests.at(place)}
                  answers={answers}
                  length={turns.length}
                  isCurrent={place === current}
                  error={digests.errorAt(place)}
                  onRetry={() => digests.retry(place)}
                />
              </div>
            ))}
          </div>
          <div ref={boxes.tail} className="messages-inset absolute inset-x-0 top-0 flow-root">
            {isLive && answers && (
              <LiveTail
                before={digests.at(turns.length - 1)?.answer?.message}
                isShown={(uid) => digests.at(turns.length - 1)?.answer?.message.uid === uid}
                lastUid={leafUid}
              />
            )}
          </div>
        </div>
      </div>
    </ContextMenu>
  );
}

interface DigestTurnProps {
  rows: DigestRows | undefined;
  answers: boolean;
  length: number;
  isCurrent: boolean;
  error: Error | null;
  onRetry: () => void;
}

function DigestTurn({ rows, answers, length, isCurrent, error, onRetry }: DigestTurnProps) {
  if (!rows)
    return error ? (
      <InlineError title={t("Could not load this turn")} error={error} onRetry={onRetry} />
    ) : (
      <SkeletonRow />
    );
  const { prompt, answer, work } = rows;
  const looks = { length, flash: false, close: false };
  return (
    <>
      {prompt && (
        <div data-part="prompt" className={answers ? undefined : "prompt-only"}>
          <MessageRow row={prompt} current={isCurrent} {...looks} />
        </div>
      )}
      {answers && answer && (
        <div data-part="answer">
          <MessageRow row={answer} current={isCurrent && !prompt} {...looks} />
        </div>
      )}
      {answers && work && (
        <div className="mt-2 ps-4">
          <WorkBar turn={work} />
        </div>
      )}
    </>
  );
}

/** Keeps the column as long as the path, which grows or is replaced by another one. */
function useGrowth(
  turns: PathTurns,
  column: { length: number },
  replace: (length: number, shared: number) => void,
) {
  const before = useRef(turns);
  useLayoutEffect(() => {
    if (before.current === turns) return;
    const shared = turns.shared(before.current);
    before.current = turns;
    if (column.length !== turns.length || shared < turns.length) replace(turns.length, shared);
  }, [turns, column, replace]);
}
