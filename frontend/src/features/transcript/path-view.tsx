import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { ContextMenu } from "@/components/context-menu";
import { ErrorState } from "@/components/error-state";
import { toastDone, toastError } from "@/components/toast";
import { api, type MessageView, type Session, toApiError } from "@/lib/api";
import { writeClipboard } from "@/lib/clipboard";
import { useLinks } from "@/lib/links";
import type { Focus, OnView } from "@/lib/place";
import { useReadTurn } from "@/lib/reading";
import { useLivePart } from "@/lib/runs";
import { theEnd } from "./column/column";
import { JumpToEnd } from "./column/jump-to-end";
import { useColumn } from "./column/use-column";
import { useFocusKeeper } from "./column/use-focus-keeper";
import { useFollowing } from "./column/use-following";
import { openingGoal, usePlace } from "./column/use-place";
import { useUnseen } from "./column/use-unseen";
import { PlaceBar } from "./header/place-bar";
import { TitleBar } from "./header/title-bar";
import { contextEntries } from "./keys/context-entries";
import { useMessageActions } from "./keys/use-message-actions";
import { useTranscriptCommands } from "./keys/use-transcript-commands";
import { useTranscriptKeys } from "./keys/use-transcript-keys";
import { LiveTail } from "./live/live-tail";
import { Spoken } from "./live/spoken";
import { NoMessages } from "./no-messages";
import { Folds } from "./path/folds";
import { useFollowLane } from "./path/use-follow-lane";
import { useLeaf } from "./path/use-leaf";
import { knownLength, type Path, usePath } from "./path/use-path";
import { usePositions } from "./path/use-positions";
import { PathRows } from "./path-rows";
import { usePassage } from "./quote/use-passage";
import { useQuote } from "./quote/use-quote";
import { TranscriptContext, type TranscriptScope } from "./scope";
import { SelectionBar } from "./selection-bar";
import { copyCodeBlock } from "./text/code-blocks";
import { useWide } from "./use-wide";

interface PathViewProps {
  session: Session;
  leafUid: string;
  focus: Focus | undefined;
  onView: OnView;
  onExport: () => void;
}

/** A path of one session: the bars above and below it, and the rows on screen. */
export function PathView({ session, leafUid, focus, onView, onExport }: PathViewProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const slab = useRef<HTMLDivElement>(null);
  const tail = useRef<HTMLDivElement>(null);
  const [folds] = useState(() => new Folds());
  const [labelling, setLabelling] = useState<string | null>(null);
  const [renaming, setRenaming] = useState(false);
  const [current, setCurrent] = useState<number>();
  const wide = useWide(scroller);
  const positions = usePositions();
  const client = useQueryClient();
  const [position] = useState(() => positions.recall(session.id, leafUid));
  const start = position?.index ?? 0;
  const [opening] = useState(() => {
    const goal = focus ? undefined : openingGoal(position, session);
    const isNear = goal !== theEnd;
    return { goal, length: isNear ? knownLength(client, session.id, leafUid, start) : undefined };
  });

  const view = useColumn({ scroller, spacer, slab, tail }, opening, () => place.remember());
  const { range } = view;
  const settled = useRef({ first: start, last: start });
  if (!view.jumping && range.last >= 0) settled.current = range;
  const path = usePath(session.id, leafUid, settled.current, !view.isPainted);
  const place = usePlace({
    session,
    leafUid,
    focus,
    path,
    view,
    folds,
    positions,
    onCurrent: setCurrent,
  });
  usePassage(scroller, focus, place.flashIndex);
  const { running } = useFollowing(session.id, view);
  const lastUid = useLivePart(session.id, (live) => live?.lastUid ?? "");
  /** The run writes at the end of this path. */
  const lane = useFollowLane(session.id, leafUid, onView);
  const isOfRun = lane
    ? leafUid === lane.tipUid
    : leafUid === session.headUid || leafUid === lastUid;
  // What the column has: while another path is on its way, the rows of the one before.
  const rowCount = view.column.length;
  const unseen = useUnseen({
    leafUid,
    headUid: session.headUid,
    length: path.length,
    isReady: path.isReady,
    atEnd: view.atEnd,
    uidAt: (index) => path.row(index)?.message.uid,
  });
  const leaf = useLeaf(session, leafUid, place.isSwitching ? undefined : path.length);

  const quoting = useQuote({ session, path, scroller, onView });
  const { actions, labelOf, moveHead } = useMessageActions({
    session,
    leafUid,
    onView,
    onSwitch: place.onSwitch,
    onEditLabel: (message) => setLabelling(message.uid),
    onQuote: quoting.quote,
  });
  const links = useLinks(session.id);
  const scope = useMemo<TranscriptScope>(
    () => ({
      session,
      links,
      folds,
      wide,
      labelling,
      stopLabelling: () => setLabelling(null),
      labelOf,
      actions,
    }),
    [session, links, folds, wide, labelling, labelOf, actions],
  );

  const inRange = current !== undefined && current >= range.first && current <= range.last;
  const tabStop = inRange ? current : range.top;
  const reading = { session, leafUid, path, view, folds, actions, tabStop, scroller, setCurrent };
  const keyboard = useTranscriptKeys({ ...reading, onRename: () => setRenaming(true) });
  useTranscriptCommands({ ...reading, keyboard, leaf, moveHead, onView });
  useFocusKeeper(scroller);

  const isSeen = inRange && current >= range.top;
  const top = path.row(isSeen ? current : range.top)?.message;
  const goTo = async (turn: number) => {
    try {
      const [found] = await api.getTurns(session.id, [turn]);
      if (found) onView({ leafUid, focusUid: found.firstUid });
    } catch (error) {
      toastError(`n${turn} could not be shown`, error);
    }
  };
  useReadTurn(session.id, top?.turn);
  const moveHeadHere = () => leaf.message && moveHead(leaf.message.uid, leaf.message.turn);

  // Before anything has come.
  const failure = path.length === undefined ? path.errorAt(start) : null;
  const isEmpty = path.length === 0 && !running;
  // A leaf that was remembered may be gone, after an import or an emptied trash.
  const isGone = failure !== null && toApiError(failure).code === "not_found";
  useEffect(() => {
    if (isGone && session.headUid !== leafUid) onView({ leafUid: session.headUid });
  }, [isGone, session.headUid, leafUid, onView]);
  return (
    <TranscriptContext value={scope}>
      <div className="transcript relative flex h-full min-h-0 flex-col bg-surface">
        <TitleBar
          session={session}
          turn={top?.turn}
          onGo={(turn) => void goTo(turn)}
          headIsElsewhere={leaf.headIsElsewhere}
          renaming={renaming}
          onRename={setRenaming}
          onMoveHead={moveHeadHere}
          onExport={onExport}
        />
        {failure && (
          <div className="min-h-0 flex-1">
            <ErrorState
              title="The messages could not be loaded"
              error={failure}
              onRetry={() => path.retry(start)}
            />
          </div>
        )}
        {isEmpty && (
          <div className="min-h-0 flex-1">
            <NoMessages session={session} />
          </div>
        )}
        <ContextMenu entries={(target) => contextEntries(target, path, actions)}>
          <div
            ref={scroller}
            role="feed"
            aria-label="Messages"
            aria-busy={!path.isReady}
            hidden={isEmpty || failure !== null}
            data-pane-focus=""
            tabIndex={-1}
            // An opaque ground, so that it scrolls as a layer.
            className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto bg-surface outline-none [overflow-anchor:none]"
            onScroll={view.onScroll}
            onPointerDown={view.release}
            onWheel={view.release}
            onKeyDown={keyboard.onKeyDown}
            onFocus={keyboard.onFocus}
            onClick={(event) => {
              if (copyCodeBlock(event.target, writeClipboard)) toastDone("Copied the code");
            }}
          >
            <div ref={spacer} className="relative overflow-hidden">
              <div ref={slab} className="absolute inset-x-0 top-0">
                <PathRows
                  path={path}
                  range={range}
                  tabStop={tabStop}
                  flashIndex={place.flashIndex}
                />
              </div>
              <div ref={tail} className="absolute inset-x-0 top-0 flow-root px-6">
                {isOfRun && (
                  <LiveTail
                    before={lastShown(path, rowCount)}
                    isShown={(uid) => isOnScreen(path, rowCount, uid)}
                    lastUid={path.row(rowCount - 1)?.message.uid ?? ""}
                  />
                )}
              </div>
            </div>
          </div>
        </ContextMenu>
        {quoting.span && (
          <SelectionBar key={quoting.span.text} scroller={scroller} onQuote={quoting.quoteSpan} />
        )}
        {running && !(isOfRun && view.atEnd) && (
          <JumpToEnd
            label={isOfRun ? "Jump to the answer" : "Go to the answer"}
            onJump={() => {
              if (isOfRun) view.goTo(theEnd);
              else onView({ leafUid: session.headUid, focusUid: session.headUid });
            }}
          />
        )}
        {!running && unseen.from !== undefined && (
          <JumpToEnd
            label="New messages"
            onJump={() => {
              view.goTo({ index: unseen.from ?? 0, align: "start" });
              unseen.forget();
            }}
          />
        )}
        <Spoken sessionId={session.id} />
        <PlaceBar
          session={session}
          leaf={leaf.message}
          length={path.length ?? 0}
          furtherUid={leaf.furtherUid}
          onMoveHead={moveHeadHere}
          onFurther={() => onView({ leafUid: leaf.furtherUid })}
        />
      </div>
    </TranscriptContext>
  );
}

/** A draft is shown as a message a little after it is written, so it is among the last ones. */
const lookedAt = 60;

function isOnScreen(path: Path, rowCount: number, uid: string): boolean {
  for (let index = rowCount - 1; index >= Math.max(0, rowCount - lookedAt); index--)
    if (path.row(index)?.message.uid === uid) return true;
  return false;
}

/** The last message that is shown. */
function lastShown(path: Path, rowCount: number): MessageView | undefined {
  for (let index = rowCount - 1; index >= Math.max(0, rowCount - lookedAt); index--) {
    const row = path.row(index);
    if (row && !row.message.hidden) return row.message;
  }
  return undefined;
}
