import { toastDone, toastError } from "@/components/toast";
import type { Importing } from "@/features/importing/use-import";
import type { SearchScope } from "@/features/search/search-panel";
import { useCommand } from "@/lib/commands";
import { undo, useUndoTitle } from "@/lib/undo";
import { cyclePanes, focusPane, type PaneName } from "./pane-focus";
import type { PaneToggles } from "./use-pane-toggles";
import type { useView } from "./view";

/** What lies over the panes. */
export type Overlay = "settings" | "shortcuts" | undefined;

interface ShellCommands {
  view: ReturnType<typeof useView>;
  importing: Importing;
  toggles: PaneToggles;
  /** Begins a new session. */
  begin: () => void;
  exportShown: () => void;
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
  const { setOverlay } = shell;
  useCommand("settings", () => setOverlay("settings"), { title: "Settings…", keys: "Mod+," });
  useCommand("about", () => setOverlay("settings"), { title: "About Coppice", group: "Help" });
  useCommand("shortcuts", () => setOverlay("shortcuts"), {
    title: "Keyboard shortcuts",
    keys: ["Mod+/", "Mod+?"],
    group: "Help",
  });
}

function useFileCommands({ view, importing, begin, exportShown }: ShellCommands) {
  const group = "Library";
  useCommand("new-session", begin, { title: "New session", keys: "Mod+N", group });
  useCommand("import", importing.show, { title: "Import…", keys: "Mod+O", group });
  useCommand("import-files", () => void importing.chooseFiles(), {
    title: "Import files…",
    group,
  });
  useCommand("import-folder", () => void importing.chooseFolder(), {
    title: "Import a folder…",
    keys: "Mod+Shift+O",
    group,
  });
  useCommand("load-samples", () => void importing.loadSamples(), {
    title: "Load the sample library",
    group,
  });
  useCommand("export", exportShown, {
    title: "Export the session…",
    keys: "Mod+E",
    group: "Session",
    enabled: view.session !== undefined,
  });
  useCommand("open-session", view.open, { title: "Open a session", hidden: true });
  useCommand("open-parent-session", () => view.open(view.session?.parentId ?? ""), {
    title: "Open the session it belongs to",
    group: "Session",
    enabled: !!view.session?.parentId,
  });
  const undoTitle = useUndoTitle();
  useCommand(
    "undo",
    () => {
      undo()
        .then((undone) => undone && toastDone("Undone"))
        .catch((error) => toastError("It could not be undone", error));
    },
    {
      title: undoTitle ? `Undo: ${undoTitle}` : "Undo",
      keys: "Mod+Z",
      group,
      enabled: undoTitle !== undefined,
    },
  );
}

function useFindCommands({ view, setScope }: ShellCommands) {
  const group = "Find";
  useCommand("palette", () => setScope("everything"), {
    title: "Search everything",
    keys: "Mod+K",
    group,
    hidden: true,
  });
  useCommand("search", () => setScope("messages"), {
    title: "Search messages",
    keys: "Mod+Shift+F",
    group,
  });
  useCommand("go-back", () => view.go(-1), {
    title: "Back to what was viewed before",
    keys: "Mod+[",
    group,
    enabled: view.canGo.back,
  });
  useCommand("go-forward", () => view.go(1), {
    title: "Forward again",
    keys: "Mod+]",
    group,
    enabled: view.canGo.forward,
  });
  useCommand("find-in-session", () => setScope("session"), {
    title: "Search in this session",
    keys: "Mod+F",
    group,
    enabled: view.session !== undefined,
  });
}

function usePaneCommands({ toggles, view, statistics, setStatistics }: ShellCommands) {
  const group = "View";
  useCommand("statistics", () => setStatistics(!statistics), {
    title: statistics ? "Close the statistics" : "Statistics",
    keys: "Mod+Shift+S",
    group,
  });
  useCommand("toggle-library", toggles.toggleLibrary, {
    title: toggles.libraryOpen ? "Hide the library" : "Show the library",
    keys: "Mod+B",
    group,
  });
  useCommand("toggle-tree", toggles.toggleTree, {
    title: toggles.treeOpen ? "Hide the tree" : "Show the tree",
    keys: "Mod+Shift+B",
    group,
    enabled: view.session !== undefined,
  });
  useCommand("next-pane", () => cyclePanes(1), { title: "Next pane", keys: "F6", group });
  useCommand("previous-pane", () => cyclePanes(-1), {
    title: "Previous pane",
    keys: "Shift+F6",
    group,
  });
  const go = (name: PaneName) => {
    setStatistics(false);
    if (name !== "transcript") toggles.openPane(name);
    // The pane may only now be drawn.
    requestAnimationFrame(() => focusPane(name));
  };
  useCommand("focus-library", () => go("library"), {
    title: "Go to the library",
    keys: "Mod+1",
    group,
  });
  useCommand("focus-transcript", () => go("transcript"), {
    title: "Go to the transcript",
    keys: "Mod+2",
    group,
  });
  useCommand("focus-tree", () => go("tree"), {
    title: "Go to the tree",
    keys: "Mod+3",
    group,
    enabled: view.session !== undefined,
  });
}
