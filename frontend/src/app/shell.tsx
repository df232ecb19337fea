import { useCallback, useState } from "react";
import { EmptyState } from "@/components/empty-state";
import { ErrorState } from "@/components/error-state";
import { toastError } from "@/components/toast";
import { ExportDialog, type ExportTarget } from "@/features/exporting/export-dialog";
import { ImportDialog } from "@/features/importing/import-dialog";
import { useImport } from "@/features/importing/use-import";
import { Welcome } from "@/features/importing/welcome";
import { Library } from "@/features/library/library";
import { SearchPanel, type SearchScope } from "@/features/search/search-panel";
import { SettingsDialog } from "@/features/settings/settings-dialog";
import { useFileWork } from "@/features/settings/use-file-work";
import { ShortcutsSheet } from "@/features/shortcuts/shortcuts-sheet";
import { StatusBar } from "@/features/status/status-bar";
import { Transcript } from "@/features/transcript/transcript";
import { TreePane } from "@/features/tree/tree-pane";
import { useAppearance } from "./appearance";
import { DropOverlay } from "./drop-overlay";
import { ErrorBoundary } from "./error-boundary";
import { focusPane } from "./pane-focus";
import { Panes } from "./panes";
import { TopBar } from "./top-bar";
import { useIsEmpty } from "./use-is-empty";
import { usePaneToggles } from "./use-pane-toggles";
import { type Overlay, useShellCommands } from "./use-shell-commands";
import { useView } from "./view";

/** The window: a bar, three panes, a line of status, and what opens over them. */
export function Shell() {
  useAppearance();
  const view = useView();
  const { session, leafUid, focus, sessionId } = view;
  const importing = useImport();
  const [exporting, setExporting] = useState<ExportTarget>();
  const [overlay, setOverlay] = useState<Overlay>();
  const [scope, setScope] = useState<SearchScope>();
  const isEmpty = useIsEmpty();
  const fileWork = useFileWork(() => setOverlay("settings"));
  const toggles = usePaneToggles();

  const exportShown = () => {
    if (session) setExporting({ sessionIds: [session.id], leafUid });
  };
  const openAt = (id: string, uid: string) => {
    view.openAt(id, uid).catch((error) => toastError("The message could not be shown", error));
  };
  const enter = () => {
    toggles.dismiss();
    // The transcript may only now be on its way.
    requestAnimationFrame(() => focusPane("transcript"));
  };
  useShellCommands({ view, importing, toggles, exportShown, setOverlay, setScope });
  const dropped = useCallback((paths: string[]) => void importing.start(paths), [importing.start]);

  return (
    <div className="grid h-full grid-rows-[44px_minmax(0,1fr)_26px]">
      <TopBar
        libraryOpen={toggles.libraryOpen}
        treeOpen={toggles.treeOpen}
        hasTree={session !== undefined}
      />
      <Panes
        libraryOpen={toggles.libraryOpen}
        treeOpen={toggles.treeOpen}
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
          isEmpty ? (
            <Welcome importing={importing} />
          ) : session ? (
            <ErrorBoundary key={session.id} title="The transcript has failed">
              <Transcript
                session={session}
                leafUid={leafUid}
                focus={focus}
                onView={view.show}
                onExport={exportShown}
              />
            </ErrorBoundary>
          ) : (
            <NoSession id={sessionId} error={view.error} onClose={view.close} />
          )
        }
        tree={
          session && (
            <ErrorBoundary key={session.id} title="The tree has failed">
              <TreePane session={session} leafUid={leafUid} focus={focus} onView={view.show} />
            </ErrorBoundary>
          )
        }
      />
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
        open={overlay === "settings"}
        work={fileWork}
        onClose={() => setOverlay(undefined)}
      />
      <ShortcutsSheet open={overlay === "shortcuts"} onClose={() => setOverlay(undefined)} />
      <DropOverlay onDrop={dropped} />
    </div>
  );
}

interface NoSessionProps {
  id: string;
  error: Error | null;
  onClose: () => void;
}

/** The middle pane without a session: none was chosen, or the one that was is not there. */
function NoSession({ id, error, onClose }: NoSessionProps) {
  if (id !== "" && error)
    return <ErrorState title="The session could not be opened" error={error} onRetry={onClose} />;
  if (id !== "") return null;
  return (
    <EmptyState
      title="Choose a session"
      text="Pick one in the library, or press Ctrl K and type a few words of what was said."
    />
  );
}
