import { toastDone, toastError } from "@/components/feedback/toast";
import type { Importing } from "@/features/importing/use-import";
import { printPath } from "@/features/printing/print-path";
import type { SearchScope } from "@/features/search/search-panel";
import type { SettingsSection } from "@/features/settings/settings-page";
import { api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { stepTrail, useHitTrail } from "@/lib/session/hit-trail";
import type { Passage } from "@/lib/session/location";
import { useMode } from "@/lib/session/mode";
import { undo, useUndoTitle } from "@/lib/store/undo";
import { cyclePanes, focusPane, type PaneName } from "./pane-focus";
import type { PaneToggles } from "./use-pane-toggles";
import type { useView } from "./view";

/** What lies over the panes: the sheet of keys, or a section of the settings. */
export type Overlay = SettingsSection | "shortcuts" | undefined;

interface ShellCommands {
  view: ReturnType<typeof useView>;
  importing: Importing;
  toggles: PaneToggles;
  /** Opens a session at a message. */
  openAt: (sessionId: string, uid: string, passage?: Passage) => void;
  /** Closes the session on screen and what covers the panes. */
  goHome: () => void;
  /** Begins a new session. */
  begin: () => void;
  exportShown: () => void;
  exportLibrary: () => void;
  overlay: Overlay;
  setOverlay: (overlay: Overlay) => void;
  setScope: (scope: SearchScope | undefined) => void;
  /** The page of statistics lies over the panes. */
  statistics: boolean;
  setStatistics: (open: boolean) => void;
}

/** Registers what the window itself can do. */
export function useShellCommands(shell: ShellCommands): void {
  useFileCommands(shell);
  useFindCommands(shell);
  usePaneCommands(shell);
  const { overlay, setOverlay } = shell;
  const isOpen = isSettings(overlay);
  useCommand("settings", () => setOverlay(isOpen ? undefined : "models"), {
    title: isOpen ? t("Close the settings") : undefined,
  });
  useCommand("quit", () => api.quit());
  useCommand("model-keys", () => setOverlay("models"));
  useCommand("about", () => setOverlay("about"));
  useCommand("shortcuts", () => setOverlay("shortcuts"));
}

/** Reports whether the settings lie over the panes. */
export function isSettings(overlay: Overlay): overlay is SettingsSection {
  return overlay !== undefined && overlay !== "shortcuts";
}

function useFileCommands({
  view,
  importing,
  goHome,
  begin,
  exportShown,
  exportLibrary,
  openAt,
  setOverlay,
}: ShellCommands) {
  useCommand("home", goHome);
  useCommand("new-session", begin);
  useCommand("import", importing.show);
  useCommand("import-files", () => void importing.chooseFiles());
  useCommand("import-folder", () => void importing.chooseFolder());
  useCommand("load-samples", () => void importing.loadSamples());
  useCommand("export", exportShown, {
    enabled: view.session !== undefined,
  });
  useCommand("export-library", exportLibrary);
  const [mode] = useMode();
  useCommand(
    "print",
    () => {
      if (view.session)
        printPath(view.session.id, view.leafUid, mode).catch((error) =>
          toastError(t("Could not print"), error),
        );
    },
    { enabled: view.session !== undefined },
  );
  useCommand("follow-places", () => setOverlay("locations"));
  useCommand("open-session", view.open);
  useCommand("open-message", (place) => {
    const at = place.indexOf("/");
    openAt(place.slice(0, at), place.slice(at + 1));
  });
  useCommand("open-parent-session", () => view.open(view.session?.parentId ?? ""), {
    enabled: !!view.session?.parentId,
  });
  const undoTitle = useUndoTitle();
  useCommand(
    "undo",
    () => {
      undo()
        .then((undone) => undone && toastDone(t("Undone")))
        .catch((error) => toastError(t("Could not undo"), error));
    },
    {
      title: undoTitle ? t("Undo: {{action}}", { action: undoTitle }) : undefined,
      enabled: undoTitle !== undefined,
    },
  );
}

function useFindCommands({ view, openAt, setScope }: ShellCommands) {
  const trail = useHitTrail();
  const step = (by: 1 | -1) => {
    const hit = stepTrail(by);
    if (hit) openAt(hit.sessionId, hit.uid, hit.passage);
  };
  useCommand("next-hit", () => step(1), {
    enabled: trail !== undefined && trail.index < trail.hits.length - 1,
  });
  useCommand("previous-hit", () => step(-1), {
    enabled: trail !== undefined && trail.index > 0,
  });
  useCommand("palette", () => setScope("everything"));
  useCommand("search", () => setScope("messages"));
  useCommand("go-back", () => view.go(-1), {
    enabled: view.canGo.back,
  });
  useCommand("go-forward", () => view.go(1), {
    enabled: view.canGo.forward,
  });
}

function usePaneCommands({
  toggles,
  view,
  statistics,
  setStatistics,
  overlay,
  setOverlay,
}: ShellCommands) {
  useCommand("statistics", () => setStatistics(!statistics), {
    title: statistics ? t("Close the statistics") : undefined,
  });
  useCommand("toggle-library", toggles.toggleLibrary, {
    title: toggles.libraryOpen ? t("Hide the library") : t("Show the library"),
  });
  useCommand("toggle-tree", toggles.toggleTree, {
    title: toggles.treeOpen ? t("Hide the tree") : t("Show the tree"),
    enabled: view.session !== undefined,
  });
  useCommand("next-pane", () => cyclePanes(1));
  useCommand("previous-pane", () => cyclePanes(-1));
  const go = (name: PaneName) => {
    setStatistics(false);
    if (isSettings(overlay)) setOverlay(undefined);
    if (name !== "transcript") toggles.openPane(name);
    // At once, so that the next key is for the pane; where it is only now drawn, as soon as it is.
    if (!focusPane(name)) requestAnimationFrame(() => focusPane(name));
  };
  useCommand("focus-library", () => go("library"));
  useCommand("focus-transcript", () => go("transcript"));
  useCommand("focus-tree", () => go("tree"), {
    enabled: view.session !== undefined,
  });
}
