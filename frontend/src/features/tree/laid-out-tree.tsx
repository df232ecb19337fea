import { Search } from "lucide-react";
import { useCallback, useMemo, useRef, useState } from "react";
import { IconButton } from "@/components/icon-button";
import { StandIns } from "@/components/stand-ins";
import { Tabs } from "@/components/tabs";
import { useCopiedTurn } from "@/lib/graft-source";
import { matchesChord } from "@/lib/keys";
import { useLinkedTurns } from "@/lib/links";
import type { Focus, OnView } from "@/lib/place";
import { useReading } from "@/lib/reading";
import { FilterChip } from "./filter-chip";
import { FindBar } from "./find/find-bar";
import { useFind } from "./find/use-find";
import { HoistBar } from "./hoist-bar";
import { countSet, int } from "./layout/columns";
import { listedTurns } from "./layout/outline-model";
import { nextOnStrand } from "./layout/strands";
import { hasMap, type OutlinedTree } from "./layout/use-layout";
import { TreeMap } from "./map/tree-map";
import { Outline } from "./outline/outline";
import { useOutline } from "./outline/use-outline";
import { MarkedBar } from "./tending/marked-bar";
import { useTending } from "./tending/tending";
import { tendingMenu } from "./tending/tending-menu";
import { TrashBar } from "./tending/trash-bar";
import { useMarked } from "./tending/use-marked";
import { Details } from "./turn/details";
import { LabelField } from "./turn/label-field";
import { PreviewCard } from "./turn/preview-card";
import { useTurnActions } from "./turn/turn-actions";
import { pressTurnKey } from "./turn/turn-keys";
import { rowMenu, turnMenu } from "./turn/turn-menu";
import { turnName } from "./turn/turn-name";
import { useTurnWords, useWanted, useWords } from "./turn/use-turn-words";
import { useHeight } from "./use-height";
import { useHover } from "./use-hover";
import { useTreeTab } from "./use-looks";
import { nextHit, useSelectedHit } from "./use-selected-hit";
import { useTreeCommands, useTurnCommands } from "./use-tree-commands";

interface LaidOutTreeProps {
  layout: OutlinedTree;
  leafUid: string;
  /** The turn that the transcript shows; -1 for none. */
  shown: number;
  focus: Focus | undefined;
  onView: OnView;
  /** Shows the tree below a turn alone; all of it again for the turn that it is shown below. */
  onHoist: (turn: number) => void;
  /** What is in the trash of the session is shown with the rest. */
  showsTrash: boolean;
  onShowTrash: (shown: boolean) => void;
}

const tabs = [
  { name: "outline", title: "Outline" },
  { name: "map", title: "Map" },
] as const;
/** What only the map can do. */
const mapCommands = ["zoom-to-fit", "turn-map"] as const;
/** What stands above the outline and the map. */
const tabsHeight = 44;
const barsHeight = 36;

/** The tree under its tabs, with the details of the selected turn below. */
export function LaidOutTree(props: LaidOutTreeProps) {
  const { layout, leafUid, shown, focus, onView, onHoist } = props;
  const { tree, strands, root } = layout;
  const words = useTurnWords(tree);
  const linked = useLinkedTurns(tree.sessionId);
  const reading = useReading(tree.sessionId);
  const [tab, setTab] = useTreeTab();
  const find = useFind(tree);
  const outline = useOutline(layout, shown, focus, find.hits);
  const { model, selected, setFolds, select } = outline;
  const isOutside = (turn: number) => root >= 0 && turn >= 0 && int(strands.of, turn) < 0;
  const showAll = () => root >= 0 && onHoist(root);
  const reveal = (turn: number) => {
    if (isOutside(turn)) showAll();
    outline.revealTurn(turn);
  };
  const isShown = useCallback((turn: number) => int(strands.of, turn) === 0, [strands]);
  const actions = useTurnActions({ tree, words, isShown, leafUid, onView });
  const tending = useTending({ tree, words, leafUid, onView });
  const copied = useCopiedTurn();
  const { marked, toggle, add, clear } = useMarked(tree.reshapes);
  const [hover, setHover] = useHover();
  const [labelling, setLabelling] = useState<{ turn: number; top: number }>();
  const pane = useRef<HTMLDivElement>(null);
  const room = useHeight(pane, hover !== null || labelling !== undefined);
  const roomNow = () => pane.current?.clientHeight ?? 0;
  const findField = useRef<HTMLInputElement>(null);
  const startFind = () => {
    find.open();
    findField.current?.focus();
    findField.current?.select();
  };
  useSelectedHit(outline);
  useTreeCommands({
    tree,
    onFolds: setFolds,
    onFind: startFind,
    isPart: root >= 0,
    onHoist: () => onHoist(selected),
    onAll: showAll,
  });
  const trashed = useMemo(() => countSet(tree.inTrash), [tree]);
  const [emptying, setEmptying] = useState(false);
  useTurnCommands({
    tree,
    tending,
    actions,
    copied,
    turn: selected,
    marked,
    onLabel: () => startLabel(selected, roomNow() / 3),
    onMark: () => toggle(selected),
    onMarkAll: () => add(...listedTurns(model)),
    trashed,
    showsTrash: props.showsTrash,
    onShowTrash: props.onShowTrash,
    onEmptyTrash: () => setEmptying(true),
    onTrashed: clear,
  });

  const startLabel = (turn: number, top: number) => {
    setHover(null);
    setLabelling({ turn, top: barHeight + top + 28 });
  };
  const goToChild = (turn: number) => {
    const next = isShown(turn) ? nextOnStrand(strands, turn) : -1;
    if (next >= 0) reveal(next);
    else if (int(strands.size, turn) > 1)
      void actions.lastVisitedChild(turn).then((child) => child >= 0 && reveal(child));
  };
  const menuParts = (turn: number, top: number) => ({
    model,
    head: tree.headTurn,
    actions,
    isPrompt: (words.get(turn)?.role ?? "user") === "user",
    // The field opens when the menu has given the focus back.
    onLabel: () => requestAnimationFrame(() => startLabel(turn, top)),
    onFolds: setFolds,
    root,
    onHoist,
    tendingEntries: (turn: number) => tendingMenu(turn, { tree, tending, copied }),
  });
  const stepHit = (step: 1 | -1) => {
    const next = nextHit(outline, step);
    if (next >= 0) select(next);
  };
  const endFind = () => {
    find.close();
    pane.current?.querySelector<HTMLElement>("[data-pane-focus]")?.focus();
  };
  const barHeight = tabsHeight + (find.isOpen ? barsHeight : 0) + (root >= 0 ? barsHeight : 0);
  // What is under the pointer may have gone meanwhile.
  const isThere = hover !== null && int(strands.of, hover.turn) >= 0;
  const hovered = useWords(words, isThere ? hover.turn : -1);
  const selectedWords = useWords(words, selected);
  const rootWords = useWords(words, root);
  useWanted(words, [root, selected, hover?.turn ?? -1]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of what is in it
    <div
      ref={pane}
      className="relative flex h-full flex-col"
      onKeyDown={(event) => {
        if (matchesChord(event.nativeEvent, "Mod+F")) startFind();
        else if (event.key === "Escape" && marked.size > 0 && !event.defaultPrevented) clear();
        else if (!pressTurnKey(event.nativeEvent)) return;
        event.preventDefault();
      }}
    >
      <StandIns names={mapCommands} isShown={tab === "map"} onShow={() => setTab("map")} />
      <div className="flex h-11 flex-none items-center gap-1 border-b border-border px-3">
        <Tabs label="Tree as" value={tab} onChange={setTab} tabs={tabs} />
        <span className="flex-1" />
        {tab === "outline" && (
          <FilterChip
            value={outline.filter}
            onChange={outline.setFilter}
            order={outline.order}
            onOrder={outline.setOrder}
          />
        )}
        <IconButton icon={Search} label="Find in the tree" keys="Mod+F" onClick={startFind} />
      </div>
      {find.isOpen && (
        <FindBar
          field={findField}
          text={find.text}
          onText={find.setText}
          count={find.hits ? outline.found.length : undefined}
          at={outline.found.indexOf(selected)}
          onStep={stepHit}
          onClose={endFind}
        />
      )}
      {root >= 0 && (
        <HoistBar root={root} words={rootWords} count={int(strands.size, root)} onAll={showAll} />
      )}
      {tab === "outline" ? (
        <Outline
          model={model}
          tree={tree}
          words={words}
          shown={shown}
          reading={reading}
          selected={selected}
          flash={focus}
          onSelect={select}
          onReveal={reveal}
          onFolds={setFolds}
          onView={actions.view}
          onContinue={actions.continueFrom}
          onLabel={startLabel}
          onChild={goToChild}
          onHoist={onHoist}
          onFind={startFind}
          marked={marked}
          onToggle={toggle}
          onMark={add}
          hits={find.hits}
          find={find.text.trim()}
          onHover={(at) => setHover(at && { ...at, top: barHeight + at.top })}
          menuFor={(turn, row, top) => rowMenu(row, menuParts(turn, top))}
        />
      ) : !hasMap(layout) ? (
        <div className="min-h-0 flex-1" />
      ) : (
        <TreeMap
          layout={layout}
          words={words}
          found={find.hits && outline.found}
          onFind={startFind}
          shown={shown}
          reading={reading}
          selected={selected}
          selectedName={
            selected >= 0
              ? turnName(model, tree, selected, selectedWords, linked.has(selected))
              : ""
          }
          onSelect={reveal}
          onView={actions.view}
          onContinue={actions.continueFrom}
          onHoist={onHoist}
          onLabel={startLabel}
          onHover={(at) => setHover(at && { ...at, top: barHeight + at.top })}
          menuFor={(turn, top) => turnMenu(turn, menuParts(turn, top))}
        />
      )}
      <MarkedBar count={marked.size} onClear={clear} />
      <TrashBar
        turns={trashed}
        asking={emptying}
        onAsk={setEmptying}
        shown={props.showsTrash}
        onShow={props.onShowTrash}
        onRestore={tending.restoreAll}
        onEmpty={tending.empty}
      />
      {selected >= 0 && (
        <Details
          layout={layout}
          turn={selected}
          words={words}
          onLabel={() => startLabel(selected, roomNow())}
          onTurn={(turn) => {
            reveal(turn);
            actions.view(turn);
          }}
        />
      )}
      {hover && hovered && !labelling && (
        <PreviewCard sessionId={tree.sessionId} turn={hovered} top={hover.top} room={room} />
      )}
      {labelling && (
        <LabelField
          turn={labelling.turn}
          label={tree.labels.get(labelling.turn) ?? ""}
          color={tree.colors.get(labelling.turn) ?? ""}
          top={labelling.top}
          room={room}
          onSave={(label) => actions.label(labelling.turn, label)}
          onClose={() => setLabelling(undefined)}
        />
      )}
    </div>
  );
}
