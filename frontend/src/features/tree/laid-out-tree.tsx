import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { StandIns } from "@/components/menu/stand-ins";
import { keyOf, runCommand, runKey } from "@/lib/keys/commands";
import { isTextField, matchesChord } from "@/lib/keys/keys";
import type { Focus, OnView } from "@/lib/session/location";
import { useCopiedTurn } from "@/lib/store/graft-source";
import { AgentLanes } from "./agents/agent-lanes";
import { CheckpointTimeline } from "./checkpoints/checkpoint-timeline";
import type { Drop } from "./drag/drop";
import { type DragHandle, TurnDrag, useDragHandle } from "./drag/turn-drag";
import { FindBar } from "./find/find-bar";
import { type Find, useFind } from "./find/use-find";
import { HoistBar } from "./hoist-bar";
import { countSet, int } from "./layout/columns";
import { listedTurns, type OutlineModel } from "./layout/outline-model";
import { isOnPath } from "./layout/path-ends";
import type { OutlinedTree } from "./layout/use-layout";
import { type OutlineState, useOutline } from "./outline/use-outline";
import { MarkedBar } from "./tending/marked-bar";
import { useTending } from "./tending/tending";
import { TrashBar } from "./tending/trash-bar";
import { type Marked, useMarked } from "./tending/use-marked";
import { isNearlyLinear } from "./timeline/timeline-bars";
import { TreeBody } from "./tree-body";
import { TreeFloats } from "./tree-floats";
import { TreeTabs } from "./tree-tabs";
import { Details } from "./turn/details";
import { useTurnActions } from "./turn/turn-actions";
import type { TurnWords } from "./turn/turn-words";
import { useTurnWords, useWanted } from "./turn/use-turn-words";
import { type TurnScene, turnMenu } from "./turn-action-list";
import { useFinding } from "./use-finding";
import { useFloats } from "./use-floats";
import { type TreeTab, useFullMap, useMapShape, useTreeTab } from "./use-looks";
import { useTreeCommands, useTurnCommands } from "./use-tree-commands";
import { useTreeMoves } from "./use-tree-moves";

interface LaidOutTreeProps {
  layout: OutlinedTree;
  leafUid: string;
  /** The end of the path on screen; -1 for none. */
  leaf: number;
  /** The turn that the transcript shows; -1 for none. */
  shown: number;
  focus: Focus | undefined;
  onView: OnView;
  /** Shows only the tree below a turn; all of it again if that is shown already. */
  onHoist: (turn: number) => void;
  /** The trash of the session is shown with the rest. */
  showsTrash: boolean;
  onShowTrash: (shown: boolean) => void;
}

/** What only the map can do. */
const mapCommands = ["zoom-to-fit", "turn-map"] as const;
/** What only the list of checkpoints can do. */
const checkpointCommands = ["name-checkpoint"] as const;
const tabsHeight = 44;
const barsHeight = 36;

/** The tree under its tabs, with the details of the selected turn below. */
export function LaidOutTree(props: LaidOutTreeProps) {
  const { layout, leafUid, leaf, shown, focus, onView, onHoist } = props;
  const { tree, strands, root } = layout;
  const pane = useRef<HTMLDivElement>(null);
  const words = useTurnWords(tree);
  const [tab, setTab] = useTreeTab();
  const [isFull, setFull] = useFullMap();
  const isTimeline = useIsTimeline(layout, leaf);
  const isByAgent = useIsByAgent(tree.sessionId, words.authors);
  const find = useFind(tree);
  const outline = useOutline(layout, leaf, shown, focus, find.hits);
  const { model, selected, setFolds } = outline;
  const finding = useFinding(find, outline, pane);
  const isShown = useIsShown(model);
  const actions = useTurnActions({ tree, words, isShown, leafUid, onView });
  const tending = useTending({ tree, words, leafUid, onView });
  const moves = useTreeMoves({ layout, outline, actions, isShown, onHoist });
  const marked = useMarked(tree.reshapes);
  const barHeight = tabsHeight + (find.isOpen ? barsHeight : 0) + (root >= 0 ? barsHeight : 0);
  const floats = useFloats(pane, barHeight);
  const drag = useDragHandle();
  const roomNow = () => pane.current?.clientHeight ?? 0;

  const scene = { tree, actions, tending, copied: useCopiedTurn(), root, onHoist };
  const trashed = useMemo(() => countSet(tree.inTrash), [tree]);
  const [emptying, setEmptying] = useState(false);
  useTreeCommands({
    tree,
    model,
    onFolds: setFolds,
    onFind: finding.start,
    isPart: root >= 0,
    onAll: moves.showAll,
  });
  useTurnCommands({
    ...scene,
    turn: selected,
    marked: marked.marked,
    onLabel: (turn) => floats.startLabel(turn, roomNow() / 3),
    onMark: () => marked.toggle(selected),
    onMarkAll: () => marked.add(...listedTurns(model)),
    trashed,
    showsTrash: props.showsTrash,
    onShowTrash: props.onShowTrash,
    onEmptyTrash: () => setEmptying(true),
    onTrashed: marked.clear,
  });
  const menuOf = (turn: number, top: number) => {
    const isPrompt = (words.get(turn)?.role ?? "user") === "user";
    // The field opens after the menu has returned the focus.
    const onLabel = () => requestAnimationFrame(() => floats.startLabel(turn, top));
    return turnMenu(turn, { ...scene, onLabel, onTrashed: () => {} }, isPrompt);
  };
  useWanted(words, [root, selected, floats.hover?.turn ?? -1]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of its children
    <div
      ref={pane}
      data-full={isFull || undefined}
      className="group/tree relative flex h-full flex-col data-full:fixed data-full:inset-x-0 data-full:top-11 data-full:bottom-[26px] data-full:z-20 data-full:h-auto data-full:bg-bg"
      onPointerDown={drag.onPointerDown}
      onKeyDown={(event) => pressKey(event, marked, isFull, setFull)}
    >
      <TabStandIns tab={tab} isTimeline={isTimeline} onTab={setTab} />
      <TreeTabs
        {...{ tab, isTimeline, isByAgent, outline }}
        onTab={setTab}
        onFind={finding.start}
      />
      {find.isOpen && <FoundBar {...{ find, finding, outline }} />}
      {root >= 0 && (
        <HoistBar root={root} words={words} count={int(strands.size, root)} onAll={moves.showAll} />
      )}
      {tab === "checkpoints" ? (
        <CheckpointTimeline tree={tree} leafUid={leafUid} isShown={isShown} onView={onView} />
      ) : tab === "map" && isByAgent ? (
        <AgentLanes sessionId={tree.sessionId} authors={words.authors} onView={onView} />
      ) : (
        <TreeBody
          {...{
            tab,
            isTimeline,
            layout,
            words,
            outline,
            find,
            shown,
            focus,
            actions,
            moves,
            marked,
            floats,
          }}
          drag={drag.handle}
          onHoist={onHoist}
          turnMenu={menuOf}
        />
      )}
      <TendingBars {...{ props, marked, tending, trashed, emptying }} onAsk={setEmptying} />
      {selected >= 0 && tab !== "checkpoints" && !isFull && (
        <Details
          layout={layout}
          turn={selected}
          words={words}
          onLabel={() => floats.startLabel(selected, roomNow())}
          onTurn={(turn) => {
            moves.reveal(turn);
            actions.view(turn);
          }}
        />
      )}
      <DraggedTurn {...{ tree, words, pane, actions, tending, isFull, setFull, drag }} />
      <TreeFloats layout={layout} words={words} floats={floats} onLabel={actions.label} />
    </div>
  );
}

interface TendingBarsProps extends Pick<TurnScene, "tending"> {
  props: LaidOutTreeProps;
  marked: Marked;
  /** The number of turns in the trash. */
  trashed: number;
  emptying: boolean;
  onAsk: (asks: boolean) => void;
}

/** What is marked, and what is in the trash. */
function TendingBars({ props, marked, tending, trashed, emptying, onAsk }: TendingBarsProps) {
  return (
    <>
      <MarkedBar count={marked.marked.size} onClear={marked.clear} />
      <TrashBar
        turns={trashed}
        asking={emptying}
        onAsk={onAsk}
        shown={props.showsTrash}
        onShow={props.onShowTrash}
        onRestore={tending.restoreAll}
        onEmpty={tending.empty}
      />
    </>
  );
}

interface DraggedTurnProps extends Pick<TurnScene, "tree" | "actions" | "tending"> {
  words: TurnWords;
  pane: RefObject<HTMLDivElement | null>;
  drag: { handle: DragHandle };
  isFull: boolean;
  setFull: (isFull: boolean) => void;
}

/** A turn that is dragged, and what dropping it does: what the menu of the turn offers, too. */
function DraggedTurn({ actions, tending, setFull, drag, ...rest }: DraggedTurnProps) {
  const drop = (turn: number, what: Drop) => {
    if (what.do === "copy") return tending.copyBelow(turn, what.turn);
    if (what.do === "copy-into") return tending.copyInto(turn, what.sessionId);
    setFull(false);
    if (what.do === "compare") return actions.comparePair(turn, what.turn);
    return actions.quote(turn);
  };
  const pull = (turn: number) => {
    setFull(false);
    actions.branchAndWrite(turn);
  };
  return <TurnDrag {...rest} handle={drag.handle} onDrop={drop} onPull={pull} />;
}

interface FoundBarProps {
  find: Find;
  finding: ReturnType<typeof useFinding>;
  outline: OutlineState;
}

/** The search in the tree, with how many turns it has found. */
function FoundBar({ find, finding, outline }: FoundBarProps) {
  return (
    <FindBar
      field={finding.field}
      text={find.text}
      onText={find.setText}
      count={find.hits ? outline.found.length : undefined}
      at={outline.found.indexOf(outline.selected)}
      onStep={finding.step}
      onClose={finding.end}
    />
  );
}

/** Whether a turn is on the path on screen. */
function useIsShown({ strands, path }: OutlineModel): (turn: number) => boolean {
  return useCallback((turn) => isOnPath(strands, path, turn), [strands, path]);
}

/** Whether the map tab shows the tree as a timeline: as the user has chosen, else where a map would be a line. */
function useIsTimeline({ tree, strands }: OutlinedTree, leaf: number): boolean {
  const [shape] = useMapShape(tree.sessionId);
  // The path that it shows is known a moment after the tree.
  return leaf >= 0 && (shape ?? (isNearlyLinear(strands) ? "timeline" : "map")) === "timeline";
}

/** Whether the map tab shows a lane for each agent; undefined in a session of one agent. */
function useIsByAgent(sessionId: string, authors: readonly string[]): boolean | undefined {
  const [shape] = useMapShape(sessionId);
  return authors.length > 0 ? shape === "agents" : undefined;
}

interface TabStandInsProps {
  tab: TreeTab;
  isTimeline: boolean;
  onTab: (tab: TreeTab) => void;
}

/** Offers what only one of the tabs can do while another one is open, which opens it. */
function TabStandIns({ tab, isTimeline, onTab }: TabStandInsProps) {
  return (
    <>
      <StandIns
        names={mapCommands}
        isShown={tab === "map" && !isTimeline}
        onShow={() => runCommand("show-map")}
      />
      <StandIns
        names={checkpointCommands}
        isShown={tab === "checkpoints"}
        onShow={() => onTab("checkpoints")}
      />
    </>
  );
}

/** The keys of the pane. */
function pressKey(
  event: KeyboardEvent,
  marked: Marked,
  isFull: boolean,
  setFull: (isFull: boolean) => void,
): void {
  if (!pressTreeKey(event) && !unmark(event, marked)) leaveFull(event, isFull, setFull);
}

/** Unmarks all turns on Escape; false if none are marked. */
function unmark(event: KeyboardEvent, marked: Marked): boolean {
  if (event.key !== "Escape" || marked.marked.size === 0 || event.defaultPrevented) return false;
  marked.clear();
  event.preventDefault();
  return true;
}

/** Returns from the map in the full window on Escape. */
function leaveFull(event: KeyboardEvent, isFull: boolean, setFull: (full: boolean) => void): void {
  if (event.key !== "Escape" || !isFull || event.defaultPrevented) return;
  setFull(false);
  event.preventDefault();
}

/** Runs the action of a key anywhere in the pane; returns false if the key has none. */
function pressTreeKey({ nativeEvent }: KeyboardEvent): boolean {
  // Text fields edit with the same keys. Text that is selected in the details is copied as text.
  const isText =
    isTextField(nativeEvent.target) && !matchesChord(nativeEvent, keyOf("find-in-tree"));
  const isSelected = window.getSelection()?.isCollapsed === false;
  if (isText || (isSelected && matchesChord(nativeEvent, keyOf("copy-branch")))) return false;
  return runKey(nativeEvent, "tree");
}
