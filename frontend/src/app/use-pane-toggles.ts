import { useCallback, useState } from "react";
import { useWindowState } from "@/lib/store/window-state";
import type { Docking } from "./panes";

/** Which panes are on screen, and the ways to change it. */
export interface PaneToggles {
  libraryOpen: boolean;
  treeOpen: boolean;
  /** The library lies over the transcript where it is open. */
  libraryFloats: boolean;
  toggleLibrary: () => void;
  toggleTree: () => void;
  openPane: (name: "library" | "tree") => void;
  onDocking: (docking: Docking) => void;
  dismiss: () => void;
}

/** A docked pane is open as it was left; one that floats opens when it is called and is not remembered. */
export function usePaneToggles(): PaneToggles {
  const [library, setLibrary] = useWindowState("libraryOpen", true);
  const [tree, setTree] = useWindowState("treeOpen", true);
  const [floating, setFloating] = useState<"library" | "tree">();
  const [docking, setDocking] = useState<Docking>({ library: true, tree: true });
  const libraryOpen = docking.library ? library : floating === "library";
  const treeOpen = docking.tree ? tree : floating === "tree";
  const float = (name: "library" | "tree") =>
    setFloating((now) => (now === name ? undefined : name));
  return {
    libraryOpen,
    treeOpen,
    libraryFloats: !docking.library,
    toggleLibrary: () => (docking.library ? setLibrary(!library) : float("library")),
    toggleTree: () => (docking.tree ? setTree(!tree) : float("tree")),
    openPane: (name) => {
      if (!docking[name]) setFloating(name);
      else if (name === "library") setLibrary(true);
      else setTree(true);
    },
    onDocking: useCallback((next: Docking) => {
      setDocking(next);
      setFloating(undefined);
    }, []),
    dismiss: () => setFloating(undefined),
  };
}
