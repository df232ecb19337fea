import { ErrorState } from "@/components/feedback/error-state";
import { Compare } from "@/features/compare/compare";
import { CompareCommand } from "@/features/compare/compare-command";
import { Composer } from "@/features/composer/composer";
import { Home, type HomeList } from "@/features/home/home";
import type { Importing } from "@/features/importing/use-import";
import { Welcome } from "@/features/importing/welcome";
import { type LibraryFilter, showOnly } from "@/features/library/filters";
import { HibernateCommand } from "@/features/running/hibernate-dialog";
import { RunDock } from "@/features/running/run-dock";
import { Transcript } from "@/features/transcript/transcript";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { type Comparing, closeComparison } from "@/lib/store/comparing";
import { ErrorBoundary } from "./error-boundary";
import { useIsEmpty } from "./use-is-empty";
import type { View } from "./view";

interface MiddlePaneProps {
  view: View;
  comparing: Comparing | undefined;
  importing: Importing;
  onExport: () => void;
  /** The library shows a list of the home page. */
  onSessions: () => void;
  /** A run has begun in a session, whose head was another message before. */
  onStarted: (sessionId: string, headBefore: string) => void;
}

/** What the library shows of a list of the home page. */
const listFilters: Record<HomeList, Partial<LibraryFilter>> = {
  unfinished: { shelf: "unfinished" },
  forked: { branched: true },
  expensive: { sort: "cost", group: "day" },
};

/** The second pane: a transcript, a comparison, or the home page with the beginning of a new session. */
export function MiddlePane(props: MiddlePaneProps) {
  const { view, comparing, importing, onExport, onStarted } = props;
  const { session, sessionId } = view;
  const isEmpty = useIsEmpty();
  if (session && comparing)
    return (
      <ErrorBoundary key={session.id} title={t("Something went wrong in the comparison")}>
        <Compare
          session={session}
          comparing={comparing}
          onClose={closeComparison}
          onView={view.show}
        />
      </ErrorBoundary>
    );
  if (session)
    return (
      <ErrorBoundary key={session.id} title={t("Something went wrong in the transcript")}>
        <OpenSession session={session} view={view} onExport={onExport} onStarted={onStarted} />
      </ErrorBoundary>
    );
  if (sessionId !== "") return <Unopened error={view.error} onClose={view.close} />;
  return (
    <ErrorBoundary title={t("Something went wrong in the composer")}>
      <div className="flex h-full min-h-0 flex-col">
        <div className="min-h-0 flex-1">
          {isEmpty ? (
            <Welcome importing={importing} />
          ) : (
            <Home
              onOpen={view.open}
              onShow={(list) => {
                showOnly(listFilters[list]);
                props.onSessions();
              }}
            />
          )}
        </div>
        <Composer session={undefined} leafUid="" onStarted={onStarted} />
      </div>
    </ErrorBoundary>
  );
}

interface OpenSessionProps extends Pick<MiddlePaneProps, "view" | "onExport" | "onStarted"> {
  session: Session;
}

function OpenSession({ session, view, onExport, onStarted }: OpenSessionProps) {
  const { leafUid, focus, show } = view;
  return (
    <>
      <CompareCommand session={session} leafUid={leafUid} />
      <HibernateCommand session={session} />
      <div className="flex h-full min-h-0 flex-col">
        <div className="min-h-0 flex-1">
          <Transcript
            session={session}
            leafUid={leafUid}
            focus={focus}
            onView={show}
            onExport={onExport}
          />
        </div>
        <RunDock
          session={session}
          atHead={leafUid === session.headUid}
          onView={show}
          onStarted={onStarted}
        />
        <Composer session={session} leafUid={leafUid} onStarted={onStarted} />
      </div>
    </>
  );
}

interface UnopenedProps {
  error: Error | null;
  onClose: () => void;
}

/** The middle pane while a session loads, or if it was not found. */
function Unopened({ error, onClose }: UnopenedProps) {
  if (!error) return null;
  return <ErrorState title={t("Could not open the session")} error={error} onRetry={onClose} />;
}
