import { Sprout } from "lucide-react";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { toastError } from "@/components/toast";
import { Compare } from "@/features/compare/compare";
import { CompareCommand } from "@/features/compare/compare-command";
import { Composer } from "@/features/composer/composer";
import { ExportDialog, type ExportTarget } from "@/features/exporting/export-dialog";
import { ImportDialog } from "@/features/importing/import-dialog";
import { useImport } from "@/features/importing/use-import";
import { Welcome } from "@/features/importing/welcome";
import { showOnly } from "@/features/library/filters";
import { Library } from "@/features/library/library";
import { RunDock } from "@/features/running/run-dock";
import { SearchPanel, type SearchScope } from "@/features/search/search-panel";
import { SettingsDialog } from "@/features/settings/settings-dialog";
import { useFileWork } from "@/features/settings/use-file-work";
import { ShortcutsSheet } from "@/features/shortcuts/shortcuts-sheet";
import { StatusBar } from "@/features/status/status-bar";
import { Transcript } from "@/features/transcript/transcript";
import { useWorkshop } from "@/features/tree/layout/workshop";
import { TreePane } from "@/features/tree/tree-pane";
import { runCommand, useCommand } from "@/lib/commands";
import { closeComparison, useComparing } from "@/lib/comparing";
import type { Passage } from "@/lib/place";
import { ClosedTree } from "./closed-tree";
import { DropOverlay } from "./drop-overlay";
import { ErrorBoundary } from "./error-boundary";
import { focusPane } from "./pane-focus";
import { Panes } from "./panes";
import { TopBar } from "./top-bar";
import { useFocusReport } from "./use-focus-report";
import { useIsEmpty } from "./use-is-empty";
import { usePaneToggles } from "./use-pane-toggles";
import { type Overlay, useShellCommands } from "./use-shell-commands";
import { useView } from "./view";

// Its charts need not be read before the window is drawn.
const StatisticsPage = lazy(() => import("@/features/statistics/statistics-page"));

/** What lies over the panes as the settings, and with which section they begin. */
const settingsAt: Record<string, string> = {
  settings: "",
  keys: "Model keys",
  places: "Followed places",
};

/** The window: a bar, three panes, a line of status, and what opens over them. */
export function Shell() {
  const view = useView();
  const { session, leafUid, focus, sessionId } = view;
  const importing = useImport();
  const [exporting, setExporting] = useState<ExportTarget>();
  const [overlay, setOverlay] = useState<Overlay>();
  const [scope, setScope] = useState<SearchScope>();
  const isEmpty = useIsEmpty();
  const fileWork = useFileWork(() => setOverlay("settings"));
  const toggles = usePaneToggles();
  const [statistics, setStatistics] = useState(false);
  const comparing = useComparing(sessionId);
  const workshop = useWorkshop();

  const exportShown = () => {
    if (session) setExporting({ sessionIds: [session.id], leafUid });
  };
  const openAt = (id: string, uid: string, passage?: Passage) => {
    setStatistics(false);
    view
      .openAt(id, uid, passage)
      .catch((error) => toastError("The message could not be shown", error));
  };
  const enter = () => {
    toggles.dismiss();
    // The transcript may only now be on its way.
    void view.opened().then(() => requestAnimationFrame(() => focusPane("transcript")));
  };
  const begin = () => {
    setStatistics(false);
    view.close();
    toggles.dismiss();
    // The composer may only now be drawn.
    requestAnimationFrame(() => runCommand("focus-composer"));
  };
  const onStarted = (id: string, headBefore: string) => {
    if (id === sessionId) view.follow(id, headBefore);
    else view.open(id);
  };
  useShellCommands({
    view,
    importing,
    toggles,
    openAt,
    begin,
    exportShown,
    setOverlay,
    setScope,
    statistics,
    setStatistics,
  });
  // What is opened is to be seen.
  useEffect(() => {
    if (sessionId) setStatistics(false);
  }, [sessionId]);
  useCommand("go-to-message", (uid) => openAt(sessionId, uid), {
    enabled: session !== undefined,
  });
  useFocusReport();
  const dropped = useCallback((paths: string[]) => void importing.start(paths), [importing.start]);

  return (
    <div className="grid h-full grid-rows-[44px_minmax(0,1fr)_26px]">
      <TopBar
        libraryOpen={toggles.libraryOpen}
        treeOpen={toggles.treeOpen}
        hasTree={session !== undefined}
      />
      <Panes
        over={
          statistics && (
            <ErrorBoundary title="The statistics have failed">
              <Suspense>
                <StatisticsPage
                  onClose={() => setStatistics(false)}
                  onShow={({ source, workspace, model }, days) => {
                    setStatistics(false);
                    showOnly({ sources: source ? [source] : [], workspace, model, days });
                    toggles.openPane("library");
                  }}
                />
              </Suspense>
            </ErrorBoundary>
          )
        }
        libraryOpen={toggles.libraryOpen}
        // Two columns of words need its room.
        treeOpen={toggles.treeOpen && !comparing}
        onDocking={toggles.onDocking}
        onDismiss={toggles.dismiss}
        library={
          <ErrorBoundary title="The library has failed">
            <Library
              openId={sessionId}
              onOpen={view.open}
              onEnter={enter}
              onExport={(sessionIds) => setExporting({ sessionIds, leafUid: "" })}
            />
          </ErrorBoundary>
        }
        transcript={
          session && comparing ? (
            <ErrorBoundary key={session.id} title="The comparison has failed">
              <Compare
                session={session}
                comparing={comparing}
                onClose={closeComparison}
                onView={view.show}
              />
            </ErrorBoundary>
          ) : session ? (
            <ErrorBoundary key={session.id} title="The transcript has failed">
              <CompareCommand session={session} leafUid={leafUid} />
              <div className="flex h-full min-h-0 flex-col">
                <div className="min-h-0 flex-1">
                  <Transcript
                    session={session}
                    leafUid={leafUid}
                    focus={focus}
                    onView={view.show}
                    onExport={exportShown}
                  />
                </div>
                <RunDock
                  session={session}
                  atHead={leafUid === session.headUid}
                  onView={view.show}
                  onStarted={onStarted}
                />
                <Composer session={session} leafUid={leafUid} onStarted={onStarted} />
              </div>
            </ErrorBoundary>
          ) : sessionId !== "" ? (
            <NotThere error={view.error} onClose={view.close} />
          ) : (
            <ErrorBoundary title="The composer has failed">
              <div className="flex h-full min-h-0 flex-col">
                <div className="min-h-0 flex-1">
                  {isEmpty ? <Welcome importing={importing} /> : <NewSession />}
                </div>
                <Composer session={undefined} leafUid="" onStarted={onStarted} />
              </div>
            </ErrorBoundary>
          )
        }
        tree={
          session && (
            <ErrorBoundary key={session.id} title="The tree has failed">
              <TreePane
                session={session}
                leafUid={leafUid}
                focus={focus}
                onView={view.show}
                workshop={workshop}
              />
            </ErrorBoundary>
          )
        }
      />
      {session && !comparing && (
        <ClosedTree
          key={session.id}
          session={session}
          isOpen={toggles.treeOpen}
          onOpen={() => {
            setStatistics(false);
            toggles.openPane("tree");
          }}
        />
      )}
      <StatusBar
        session={session}
        leafUid={leafUid}
        importing={importing.job}
        onShowImport={importing.show}
        onShowFile={() => setOverlay("settings")}
      />
      <SearchPanel
        scope={scope}
        session={session}
        onClose={() => setScope(undefined)}
        onOpenSession={view.open}
        onOpenHit={openAt}
      />
      <ImportDialog importing={importing} onOpenSession={view.open} />
      <ExportDialog target={exporting} onClose={() => setExporting(undefined)} />
      <SettingsDialog
        open={overlay !== undefined && overlay in settingsAt}
        at={settingsAt[overlay ?? ""] ?? ""}
        sessionId={sessionId}
        work={fileWork}
        onClose={() => setOverlay(undefined)}
      />
      <ShortcutsSheet open={overlay === "shortcuts"} onClose={() => setOverlay(undefined)} />
      <DropOverlay onDrop={dropped} />
    </div>
  );
}

interface NotThereProps {
  error: Error | null;
  onClose: () => void;
}

/** The middle pane while a session loads, or when the one that was chosen is not there. */
function NotThere({ error, onClose }: NotThereProps) {
  if (!error) return null;
  return <ErrorState title="The session could not be opened" error={error} onRetry={onClose} />;
}

/** The middle pane before a session begins. */
function NewSession() {
  return (
    <EmptyState
      icon={Sprout}
      title="A new session"
      text="Say below what is to be done, or pick a session in the library to continue it. Ctrl K finds anything that was ever said."
    />
  );
}
