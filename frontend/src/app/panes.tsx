import clsx from "clsx";
import { type ReactNode, useEffect, useRef } from "react";
import { t } from "@/lib/i18n/i18n";
import { useWindowState } from "@/lib/store/window-state";
import { Divider } from "./divider";
import { useRoom } from "./room";

/** What docks beside the transcript, at a given width of the window in its own pixels. */
export interface Docking {
  library: boolean;
  tree: boolean;
}

interface PanesProps {
  library: ReactNode;
  transcript: ReactNode;
  /** Undefined: there is no third pane now. */
  tree: ReactNode | undefined;
  /** What lies over all of them, which then hear nothing; false: nothing does. */
  over: ReactNode;
  libraryOpen: boolean;
  treeOpen: boolean;
  /** Called when the room for panes changes; a pane that does not dock floats over the transcript. */
  onDocking: (docking: Docking) => void;
  /** Called when a floating pane is to close. */
  onDismiss: () => void;
}

const library = { name: "libraryWidth", initial: 280, wide: 360, min: 280, max: 420 };
const tree = { name: "treeWidth", initial: 340, min: 260, max: 760 };
const transcriptMin = 380;
/** Below these widths of the window a pane floats. */
const dockTree = 1100;
const dockLibrary = 720;
/** From this width of the window on the library starts with room for the last answers. */
const wideWindow = 1600;

/** The three panes and the lines between them, which move. */
export function Panes(props: PanesProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useRoom(frame);
  const docking = { library: width >= dockLibrary, tree: width >= dockTree };
  const { onDocking } = props;
  useEffect(
    () => onDocking({ library: docking.library, tree: docking.tree }),
    [onDocking, docking.library, docking.tree],
  );
  const libraryInitial = width >= wideWindow ? library.wide : library.initial;
  const [libraryKept, setLibraryWidth] = useWindowState(library.name, 0);
  const libraryWidth = libraryKept
    ? Math.min(library.max, Math.max(library.min, libraryKept))
    : libraryInitial;
  const [treeWidth, setTreeWidth] = useWindowState(tree.name, tree.initial);
  const libraryDocked = props.libraryOpen && docking.library;
  const treeDocked = props.treeOpen && docking.tree && props.tree !== undefined;
  const room = width - (libraryDocked ? libraryWidth : 0) - transcriptMin;
  const treeMax = Math.max(tree.min, Math.min(tree.max, room));
  const shownTree = Math.min(treeWidth, treeMax);
  return (
    <div ref={frame} className="relative flex min-h-0 min-w-0">
      <div className="contents" inert={Boolean(props.over)}>
        {props.libraryOpen && (
          <Pane
            name="library"
            label={t("Library")}
            side="left"
            width={libraryWidth}
            floats={!docking.library}
            onDismiss={props.onDismiss}
          >
            {props.library}
          </Pane>
        )}
        {libraryDocked && (
          <Divider
            label={t("Width of the library")}
            value={libraryWidth}
            initial={libraryInitial}
            min={library.min}
            max={library.max}
            onChange={setLibraryWidth}
          />
        )}
        <main
          data-pane="transcript"
          tabIndex={-1}
          className="min-w-0 flex-1 bg-surface outline-none"
        >
          {props.transcript}
        </main>
        {treeDocked && (
          <Divider
            label={t("Width of the tree")}
            value={shownTree}
            initial={tree.initial}
            min={tree.min}
            max={treeMax}
            mirrored
            onChange={setTreeWidth}
          />
        )}
        {props.treeOpen && props.tree !== undefined && (
          <Pane
            name="tree"
            label={t("Tree")}
            side="right"
            width={shownTree}
            floats={!docking.tree}
            onDismiss={props.onDismiss}
          >
            {props.tree}
          </Pane>
        )}
      </div>
      {props.over}
    </div>
  );
}

interface PaneProps {
  name: string;
  label: string;
  side: "left" | "right";
  width: number;
  floats: boolean;
  onDismiss: () => void;
  children: ReactNode;
}

function Pane({ name, label, side, width, floats, onDismiss, children }: PaneProps) {
  return (
    <aside
      data-pane={name}
      aria-label={label}
      tabIndex={-1}
      style={{ width }}
      onKeyDown={(event) => {
        if (floats && event.key === "Escape" && !event.defaultPrevented) onDismiss();
      }}
      className={clsx(
        "min-h-0 shrink-0 bg-bg outline-none",
        floats &&
          "absolute inset-y-0 z-30 max-w-[calc(100%-48px)] animate-appear border-border shadow-float has-data-full:shadow-none",
        floats && (side === "left" ? "start-0 border-e" : "end-0 border-s"),
      )}
    >
      {children}
    </aside>
  );
}
