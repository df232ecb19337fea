import { useCallback, useState } from "react";
import { toastError } from "@/components/feedback/toast";
import type { ExportTarget } from "@/features/exporting/export-dialog";
import { useImport } from "@/features/importing/use-import";
import { Library } from "@/features/library/library";
import type { SearchScope } from "@/features/search/search-panel";
import { StatusBar } from "@/features/status/status-bar";
import { useLayoutService } from "@/features/tree/layout/layout-service";
import { TreePane } from "@/features/tree/tree-pane";
import { t } from "@/lib/i18n/i18n";
import { runCommand, useCommand } from "@/lib/keys/commands";
import type { Passage } from "@/lib/session/location";
import { useComparing } from "@/lib/store/comparing";
import { ClosedTree } from "./closed-tree";
import { Dialogs } from "./dialogs";
import { DropOverlay } from "./drop-overlay";
import { ErrorBoundary } from "./error-boundary";
import { MiddlePane } from "./middle-pane";
import { useNativeTexts } from "./native-texts";
import { focusPane } from "./pane-focus";
import { Panes } from "./panes";
import { TopBar } from "./top-bar";
import { useFocusReport } from "./use-focus-report";
import { useOverPanes } from "./use-over-panes";
import { type PaneToggles, usePaneToggles } from "./use-pane-toggles";
import { type Overlay, useShellCommands } from "./use-shell-commands";
import { useView, type View } from "./view";

/** The window: a bar, three panes, a line of status, and what opens over them, `at` first. */
export function Shell({ at }: { at?: Overlay }) {
  const viewed = useView();
  const over = useOverPanes(viewed.sessionId, at);
  const view = useUncovering(viewed, over.uncover);
  const { session, leafUid, focus, sessionId } = view;
  const importing = useImport();
  const [exporting, setExporting] = useState<ExportTarget>();
  const { overlay, setOverlay, statistics, setStatistics } = over;
  const [scope, setScope] = useState<SearchScope>();
  const toggles = usePaneToggles();
  const comparing = useComparing(sessionId);
  const layoutService = useLayoutService();

  const exportShown = () => {
    if (session) setExporting({ sessionIds: [session.id], leafUid });
  };
  const { openAt, enter, goHome, begin, onStarted } = useNavigation(view, toggles, over.uncover);
  useShellCommands({
    view,
    importing,
    toggles,
    openAt,
    goHome,
    begin,
    exportShown,
    exportLibrary: () => setExporting({ sessionIds: [], leafUid: "" }),
    overlay,
    setOverlay,
    setScope,
    statistics,
    setStatistics,
  });
  useFocusReport();
  useNativeTexts();
  const dropped = useCallback((paths: string[]) => void importing.start(paths), [importing.start]);

  return (
    <div className="grid h-full grid-rows-[44px_minmax(0,1fr)_26px]">
      <TopBar
        libraryOpen={toggles.libraryOpen}
        treeOpen={toggles.treeOpen}
        hasTree={session !== undefined}
      />
      <Panes
        over={over.page(() => toggles.openPane("library"))}
        libraryOpen={toggles.libraryOpen}
        // Two columns of words need its room.
        treeOpen={toggles.treeOpen && !comparing}
        onDocking={toggles.onDocking}
        onDismiss={toggles.dismiss}
        library={
          <ErrorBoundary title={t("Something went wrong in the library")}>
            <Library
              openId={sessionId}
              floats={toggles.libraryFloats}
              onOpen={view.open}
              onEnter={enter}
              onExport={(sessionIds) => setExporting({ sessionIds, leafUid: "" })}
            />
          </ErrorBoundary>
        }
        transcript={
          <MiddlePane
            view={view}
            comparing={comparing}
            importing={importing}
            onExport={exportShown}
            onSessions={() => toggles.openPane("library")}
            onStarted={onStarted}
          />
        }
        tree={
          session && (
            <ErrorBoundary key={session.id} title={t("Something went wrong in the tree")}>
              <TreePane
                session={session}
                leafUid={leafUid}
                focus={focus}
                onView={view.show}
                layoutService={layoutService}
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
        onShowFile={() => setOverlay("data")}
      />
      <Dialogs
        {...{
          overlay,
          setOverlay,
          scope,
          setScope,
          exporting,
          setExporting,
          importing,
          view,
          openAt,
        }}
      />
      <DropOverlay onDrop={dropped} />
    </div>
  );
}

/** The view, whose session is uncovered even if the one to open is open already: its id does not change then. */
function useUncovering(view: View, uncover: () => void): View {
  const { sessionId, open, go } = view;
  return {
    ...view,
    open: useCallback(
      (id) => {
        if (id === sessionId) uncover();
        return open(id);
      },
      [sessionId, open, uncover],
    ),
    go: (by) => {
      uncover();
      go(by);
    },
  };
}

/** Ways to other sessions and messages, and back from what covers the panes. */
function useNavigation(view: View, toggles: PaneToggles, uncover: () => void) {
  const openAt = (id: string, uid: string, passage?: Passage) => {
    uncover();
    view
      .openAt(id, uid, passage)
      .catch((error) => toastError(t("Could not show the message"), error));
  };
  useCommand("go-to-message", (uid) => openAt(view.sessionId, uid), {
    enabled: view.session !== undefined,
  });
  const enter = () => {
    toggles.dismiss();
    // The transcript may still be loading.
    void view.opened().then(() => requestAnimationFrame(() => focusPane("transcript")));
  };
  const goHome = () => {
    uncover();
    view.close();
    toggles.dismiss();
    requestAnimationFrame(() => focusPane("transcript"));
  };
  const begin = () => {
    uncover();
    view.close();
    toggles.dismiss();
    // The composer may not be drawn yet.
    requestAnimationFrame(() => runCommand("focus-composer"));
  };
  const onStarted = (id: string, headBefore: string) => {
    if (id === view.sessionId) view.follow(id, headBefore);
    else view.open(id);
  };
  return { openAt, enter, goHome, begin, onStarted };
}
