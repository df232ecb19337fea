import { ExportDialog, type ExportTarget } from "@/features/exporting/export-dialog";
import { HandDialog } from "@/features/handing/hand-dialog";
import { ImportDialog } from "@/features/importing/import-dialog";
import type { Importing } from "@/features/importing/use-import";
import { SearchPanel, type SearchScope } from "@/features/search/search-panel";
import { ShortcutsSheet } from "@/features/shortcuts/shortcuts-sheet";
import { SentDialog } from "@/features/transcript/sent-dialog";
import type { Passage } from "@/lib/session/location";
import type { Overlay } from "./use-shell-commands";
import type { View } from "./view";

interface DialogsProps {
  view: View;
  importing: Importing;
  overlay: Overlay;
  setOverlay: (overlay: Overlay) => void;
  scope: SearchScope | undefined;
  setScope: (scope: SearchScope | undefined) => void;
  exporting: ExportTarget | undefined;
  setExporting: (target: ExportTarget | undefined) => void;
  openAt: (sessionId: string, uid: string, passage?: Passage) => void;
}

/** What opens over the panes. */
export function Dialogs({ view, importing, overlay, setOverlay, ...props }: DialogsProps) {
  return (
    <>
      <SearchPanel
        scope={props.scope}
        session={view.session}
        onClose={() => props.setScope(undefined)}
        onOpenSession={view.open}
        onOpenHit={props.openAt}
      />
      <ImportDialog importing={importing} onOpenSession={view.open} />
      <ExportDialog target={props.exporting} onClose={() => props.setExporting(undefined)} />
      <SentDialog />
      <HandDialog />
      <ShortcutsSheet open={overlay === "shortcuts"} onClose={() => setOverlay(undefined)} />
    </>
  );
}
