import { useEffect, useState } from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { toastError } from "@/components/feedback/toast";
import { api, type Session, toApiError } from "@/lib/api/api";
import type { Focus, OnView } from "@/lib/session/location";
import { useReadTurn } from "@/lib/store/reading";
import { useFocusKeeper } from "./column/use-focus-keeper";
import { PathBar } from "./header/path-bar";
import { TitleBar } from "./header/title-bar";
import { Jumps } from "./jumps";
import { useRowCursor } from "./keys/use-row-cursor";
import { useTranscriptCommands } from "./keys/use-transcript-commands";
import { useTranscriptKeys } from "./keys/use-transcript-keys";
import { Spoken } from "./live/spoken";
import { MessageFeed } from "./message-feed";
import { NoMessages } from "./no-messages";
import { Folds } from "./path/folds";
import { useLeaf } from "./path/use-leaf";
import { TranscriptContext } from "./scope";
import { SelectionBar } from "./selection-bar";
import { useRunHere } from "./use-run-here";
import { useShownPath } from "./use-shown-path";
import { useTranscriptScope } from "./use-transcript-scope";

interface PathViewProps {
  session: Session;
  leafUid: string;
  focus: Focus | undefined;
  onView: OnView;
  onExport: () => void;
}

/** A path of one session: the bars above and below it, and the rows on screen. */
export function PathView({ session, leafUid, focus, onView, onExport }: PathViewProps) {
  const [folds] = useState(() => new Folds());
  const [renaming, setRenaming] = useState(false);
  const [current, setCurrent] = useState<number>();
  const shown = useShownPath({ session, leafUid, focus, folds, onCurrent: setCurrent });
  const { boxes, view, path, place } = shown;
  const { scroller } = boxes;
  const { running, writesHere } = useRunHere(session, leafUid, view, onView);
  const leaf = useLeaf(session, leafUid, place.isSwitching ? undefined : path.length);
  const { scope, quoting, branchFrom } = useTranscriptScope({
    session,
    leafUid,
    shown,
    scroller,
    folds,
    onView,
  });

  const { range } = view;
  const inRange = current !== undefined && current >= range.first && current <= range.last;
  const tabStop = inRange ? current : range.top;
  const { actions } = scope;
  const reading = { session, leafUid, path, view, folds, actions, tabStop, scroller, setCurrent };
  const cursor = useRowCursor(reading);
  const keyboard = useTranscriptKeys({ ...reading, cursor, onRename: () => setRenaming(true) });
  useTranscriptCommands({ ...reading, cursor, leaf, branchFrom, onView });
  useFocusKeeper(scroller);
  const top = path.row(inRange && current >= range.top ? current : range.top)?.message;
  useReadTurn(session.id, top?.turn);
  const onContinue = () => leaf.message && branchFrom(leaf.message.uid, leaf.message.turn);

  const failure = useFailure(session, leafUid, shown, onView);
  const isEmpty = path.length === 0 && !running;
  return (
    <TranscriptContext value={scope}>
      <div className="transcript relative flex h-full min-h-0 flex-col bg-surface">
        <TitleBar
          session={session}
          turn={top?.turn}
          onGo={(turn) => void goToTurn(session.id, leafUid, turn, onView)}
          headIsElsewhere={leaf.headIsElsewhere}
          renaming={renaming}
          onRename={setRenaming}
          onContinue={onContinue}
          onExport={onExport}
        />
        {failure && (
          <div className="min-h-0 flex-1">
            <ErrorState
              title="Could not load the messages"
              error={failure}
              onRetry={() => path.retry(shown.start)}
            />
          </div>
        )}
        {isEmpty && (
          <div className="min-h-0 flex-1">
            <NoMessages session={session} />
          </div>
        )}
        <MessageFeed
          shown={shown}
          tabStop={tabStop}
          isLive={writesHere}
          hidden={isEmpty || failure !== null}
          {...keyboard}
        />
        {quoting.span && (
          <SelectionBar key={quoting.span.text} scroller={scroller} onQuote={quoting.quoteSpan} />
        )}
        <Jumps {...{ session, leafUid, shown, running, writesHere, onView }} />
        <Spoken sessionId={session.id} />
        <PathBar
          session={session}
          leaf={leaf.message}
          length={path.length ?? 0}
          furtherUid={leaf.furtherUid}
          onContinue={onContinue}
          onFurther={() => onView({ leafUid: leaf.furtherUid })}
        />
      </div>
    </TranscriptContext>
  );
}

async function goToTurn(sessionId: string, leafUid: string, turn: number, onView: OnView) {
  try {
    const [found] = await api.getTurns(sessionId, [turn]);
    if (found) onView({ leafUid, focusUid: found.firstUid });
  } catch (error) {
    toastError(`Could not show n${turn}`, error);
  }
}

/** The error of a path of which nothing is loaded. A stored leaf may have been deleted by an import or an emptied trash: then the head is shown. */
function useFailure(
  { headUid }: Session,
  leafUid: string,
  { path, start }: Pick<ReturnType<typeof useShownPath>, "path" | "start">,
  onView: OnView,
) {
  const failure = path.length === undefined ? path.errorAt(start) : null;
  const isMissing = failure !== null && toApiError(failure).code === "not_found";
  useEffect(() => {
    if (isMissing && headUid !== leafUid) onView({ leafUid: headUid });
  }, [isMissing, headUid, leafUid, onView]);
  return failure;
}
