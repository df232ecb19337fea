import type { MenuEntry } from "@/components/menu/menu-entry";
import { useLinkedTurns } from "@/lib/session/links";
import type { Focus } from "@/lib/session/location";
import { useReading } from "@/lib/store/reading";
import { partAt } from "@/lib/tree/skeleton";
import type { DragHandle } from "./drag/turn-drag";
import type { Find } from "./find/use-find";
import { int } from "./layout/columns";
import { hasMap, type OutlinedTree } from "./layout/use-layout";
import { TreeMap } from "./map/tree-map";
import { Outline } from "./outline/outline";
import { rowMenu } from "./outline/row-menu";
import type { OutlineState } from "./outline/use-outline";
import type { Marked } from "./tending/use-marked";
import { Timeline } from "./timeline/timeline";
import type { TurnActions } from "./turn/turn-actions";
import { turnName } from "./turn/turn-name";
import type { TurnWords } from "./turn/turn-words";
import { useTurnWork } from "./turn/turn-work";
import { useWords } from "./turn/use-turn-words";
import type { Floats } from "./use-floats";
import type { TreeTab } from "./use-looks";
import type { TreeMoves } from "./use-tree-moves";

interface TreeBodyProps {
  tab: Exclude<TreeTab, "checkpoints">;
  /** The map is shown as a timeline. */
  isTimeline: boolean;
  layout: OutlinedTree;
  words: TurnWords;
  outline: OutlineState;
  find: Find;
  /** The turn that the transcript shows; -1 for none. */
  shown: number;
  focus: Focus | undefined;
  actions: TurnActions;
  moves: TreeMoves;
  marked: Marked;
  floats: Floats;
  drag: DragHandle;
  onHoist: (turn: number) => void;
  /** The menu of a turn that is at a height of the tree. */
  turnMenu: (turn: number, top: number) => MenuEntry[];
}

/** The tree as an outline or as a map. */
export function TreeBody(props: TreeBodyProps) {
  const { layout, words, outline, find, shown, actions, moves, floats, turnMenu } = props;
  const { tree } = layout;
  const { model, selected, setFolds, select } = outline;
  const linked = useLinkedTurns(tree.sessionId);
  const selectedWords = useWords(words, selected);
  const work = useTurnWork(tree, words);
  const both = {
    words,
    shown,
    reading: partAt(tree.skeleton, useReading(tree.sessionId)),
    selected,
    onView: actions.view,
    onContinue: actions.branchFrom,
    onHoist: props.onHoist,
    onLabel: floats.startLabel,
    onHover: floats.onHover,
  };
  if (props.tab === "map" && !hasMap(layout)) return <div className="min-h-0 flex-1" />;
  if (props.tab === "map" && hasMap(layout) && props.isTimeline)
    return (
      <Timeline
        {...both}
        work={work}
        layout={layout}
        path={model.path}
        found={find.hits && outline.found}
        onSelect={moves.reveal}
        menuFor={turnMenu}
      />
    );
  if (props.tab === "map" && hasMap(layout))
    return (
      <TreeMap
        {...both}
        work={work}
        drag={props.drag}
        layout={layout}
        path={model.path}
        found={find.hits && outline.found}
        selectedName={
          selected >= 0
            ? turnName(
                model,
                tree,
                selected,
                selectedWords,
                linked.has(int(tree.skeleton.number, Math.max(0, selected))),
              )
            : ""
        }
        onSelect={moves.reveal}
        menuFor={turnMenu}
      />
    );
  return (
    <Outline
      {...both}
      model={model}
      tree={tree}
      flash={props.focus}
      onSelect={select}
      onReveal={moves.reveal}
      onFolds={setFolds}
      onChild={moves.goToChild}
      marked={props.marked.marked}
      onToggle={props.marked.toggle}
      onMark={props.marked.add}
      hits={find.hits}
      find={find.text.trim()}
      menuFor={(_turn, row, top) =>
        rowMenu(row, { model, turnMenu: (turn) => turnMenu(turn, top), onFolds: setFolds })
      }
    />
  );
}
