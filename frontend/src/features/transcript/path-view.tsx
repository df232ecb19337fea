import { useEffect, useState } from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { toastError } from "@/components/feedback/toast";
import { api, type Session, toApiError } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { Focus, OnView } from "@/lib/session/location";
import type { Mode } from "@/lib/session/mode";
import { useReadTurn } from "@/lib/store/reading";
import { type Goal, theEnd } from "./column/column";
import { useFocusKeeper } from "./column/use-focus-keeper";
import { DigestFeed } from "./digest/digest-feed";
import { StickyPrompt } from "./digest/sticky-prompt";
import { useDigest, useWhole } from "./digest/use-digest";
import { FindBar } from "./find/find-bar";
import { useFind } from "./find/use-find";
import { PathBar } from "./header/path-bar";
import { TitleBar } from "./header/title-bar";
import { Jumps } from "./jumps";
import { useCursorKeys } from "./keys/use-cursor-keys";
import { useRowCursor } from "./keys/use-row-cursor";
import { useTranscriptCommands } from "./keys/use-transcript-commands";
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
  const reader = useDigest(session, leafUid);
  const { mode } = reader;
  const isAll = mode === "all";
  const shown = useShownPath({
    session,
    leafUid,
    focus,
    folds,
    onCurrent: setCurrent,
    isShown: isAll,
  });
  const { boxes, view, path } = shown;
  const { scroller } = boxes;
  const { running, writesHere } = useRunHere(session, leafUid, view, onView);
  const leaf = useLeaf(session, leafUid, shown.place.isSwitching ? undefined : path.length);
  const { scope, quoting, branchFrom } = useTranscriptScope({
    session,
    leafUid,
    shown,
    scroller,
    frame: reader.frame,
    folds,
    works: reader.works,
    onView,
  });

  const { range } = view;
  const inRange = current !== undefined && current >= range.first && current <= range.last;
  const tabStop = inRange ? current : range.top;
  const { actions } = scope;
  const { turns } = reader;
  const at = { session, leafUid, path, view, turns, tabStop };
  const reading = { ...at, folds, actions, scroller, setCurrent };
  const cursor = useRowCursor(reading);
  const keyboard = useCursorKeys({ ...reading, cursor, onRename: () => setRenaming(true) });
  const place = isAll ? (turns?.at(range.top) ?? 0) : reader.place;
  const here: Goal = { index: turns?.start(place) ?? 0, align: "start" };
  const showIn = (next: Mode, remembered: boolean, goal = here) => {
    if (next === "all" && !isAll) view.goTo(goal);
    reader.setMode(next, place, remembered);
  };
  const onMode = (next: Mode) => showIn(next, true);
  const isLive = running && writesHere;
  const showAll = (at: "turn" | "end") => showIn("all", false, at === "end" ? theEnd : here);
  useWhole({ sessionId: session.id, focus, isLive, reader, showAll });
  const depth = isAll ? range.top : (turns?.start(place) ?? 0);
  const find = useFind({ sessionId: session.id, leafUid, depth, onView });
  useTranscriptCommands({ ...reading, ...reader, onMode, cursor, leaf, branchFrom, onView });
  useFocusKeeper(scroller);
  const top = path.row(inRange && current >= range.top ? current : range.top)?.message;
  const turn = isAll ? top?.turn : turns?.numbers[place];
  useReadTurn(session.id, turn);
  const onContinue = () => leaf.message && branchFrom(leaf.message.uid);

  const failure = useFailure(session, leafUid, shown, onView);
  const isEmpty = path.length === 0 && !running;
  const hasMessages = turns !== undefined && !isEmpty && !failure;
  return (
    <TranscriptContext value={scope}>
      <div
        ref={reader.frame}
        className="transcript relative flex h-full min-h-0 flex-col bg-surface"
      >
        <TitleBar
          session={session}
          turn={turn}
          mode={mode}
          onMode={onMode}
          onGo={(turn) => void goToTurn(session.id, leafUid, turn, onView)}
          headIsElsewhere={leaf.headIsElsewhere}
          renaming={renaming}
          onRename={setRenaming}
          onContinue={onContinue}
          onExport={onExport}
        />
        {hasMessages && (
          <StickyPrompt
            sessionId={session.id}
            turns={turns}
            place={place}
            onGo={(to) =>
              isAll ? cursor.moveTo(turns.start(to), "start") : reader.digest.current?.goTo(to)
            }
          />
        )}
        <FindBar find={find} length={path.length ?? 0} onClose={() => cursor.focus(tabStop)} />
        <InPlace {...{ session, failure, isEmpty }} onRetry={() => path.retry(shown.start)} />
        {isAll && (
          <MessageFeed
            shown={shown}
            tabStop={tabStop}
            isLive={writesHere}
            hidden={isEmpty || failure !== null}
            {...keyboard}
          />
        )}
        {!isAll && hasMessages && (
          <DigestFeed key={mode} {...{ session, leafUid, turns, ...reader.feed }} isLive={isLive} />
        )}
        {quoting.span && (
          <SelectionBar key={quoting.span.text} scroller={scroller} onQuote={quoting.quoteSpan} />
        )}
        {isAll && <Jumps {...{ session, leafUid, shown, running, writesHere, onView }} />}
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

interface InPlaceProps {
  session: Session;
  failure: Error | null;
  isEmpty: boolean;
  onRetry: () => void;
}

/** What is shown in the place of messages that could not be loaded, or that do not exist. */
function InPlace({ session, failure, isEmpty, onRetry }: InPlaceProps) {
  if (!failure && !isEmpty) return null;
  return (
    <div className="min-h-0 flex-1">
      {failure ? (
        <ErrorState title={t("Could not load the messages")} error={failure} onRetry={onRetry} />
      ) : (
        <NoMessages session={session} />
      )}
    </div>
  );
}

async function goToTurn(sessionId: string, leafUid: string, turn: number, onView: OnView) {
  try {
    const [found] = await api.getTurns(sessionId, [turn]);
    if (found) onView({ leafUid, focusUid: found.firstUid });
  } catch (error) {
    toastError(t("Could not show the turn"), error);
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
