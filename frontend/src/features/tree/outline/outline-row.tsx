import clsx from "clsx";
import { memo, useMemo } from "react";
import { AuthorMark } from "@/components/session/author-mark";
import type { Turn } from "@/lib/api/api";
import { authorColor } from "@/lib/format/author-color";
import { formatCount, formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import type { Tree } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import { foldedSize } from "../layout/folds";
import { isExpanded, type OutlineModel } from "../layout/outline-model";
import { isOnPath } from "../layout/path-ends";
import { levelOf } from "../layout/rows";
import { olderSiblings, partingText } from "../turn/parting";
import { TurnBadges } from "../turn/turn-badges";
import { LabelChip, TurnMarks } from "../turn/turn-marks";
import { chainExtent, chainName, nodeOf, openingWord, turnName, turnText } from "../turn/turn-name";
import type { TurnWords } from "../turn/turn-words";
import { useEveryWord, useWanted, useWords } from "../turn/use-turn-words";
import type { GutterSize } from "./gutter";
import { GutterCell } from "./gutter-cell";
import { MarkedText } from "./marked-text";
import { rowHeight } from "./row-height";

interface OutlineRowProps {
  model: OutlineModel;
  tree: Tree;
  words: TurnWords;
  row: number;
  gutter: GutterSize;
  /** The turn on screen in the transcript. */
  shown: number;
  /** The turn at the top of the transcript. */
  isRead: boolean;
  isSelected: boolean;
  /** It is one of those to do something with. */
  isMarked: boolean;
  /** It is linked with another session. */
  isLinked: boolean;
  /** Whether what is looked for was found in the turn; null while nothing is looked for. */
  isHit: boolean | null;
  /** What is looked for. */
  find: string;
}

/** A line of the outline: a turn, or the turns of a folded chain. */
export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { model, tree, row, gutter, shown, isRead, isSelected, isMarked } = props;
  const { strands, rows } = model;
  const at = int(rows.turn, row);
  const isChain = int(rows.chain, row) > 0;
  const isHead = !isChain && at === tree.headTurn;
  const words = useWords(props.words, isChain ? -1 : at);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in part
    <div
      role="row"
      tabIndex={isSelected ? 0 : -1}
      data-pane-focus={isSelected || undefined}
      data-row={row}
      data-turn={at}
      data-node={nodeOf(model.skeleton, at)}
      aria-rowindex={row + 1}
      aria-level={levelOf(strands, rows, at)}
      aria-setsize={isChain ? 1 : int(strands.alternatives, at)}
      aria-posinset={isChain ? 1 : int(strands.position, at) + 1}
      aria-expanded={isChain ? false : isExpanded(model, at)}
      aria-selected={isSelected || isMarked}
      aria-current={!isChain && at === shown ? "true" : undefined}
      aria-label={
        isChain ? chainName(model, row) : turnName(model, tree, at, words, props.isLinked)
      }
      style={{ height: rowHeight, transform: `translateY(${row * rowHeight}px)` }}
      className={clsx(
        "absolute inset-x-0 top-0 flex items-center pe-3 -outline-offset-2",
        isSelected || isMarked ? "bg-accent-soft" : "hover:bg-sunken",
        (isRead || isMarked) && "shadow-[inset_3px_0_0_var(--accent)]",
      )}
    >
      <GutterCell model={model} row={row} size={gutter} isHead={isHead} />
      {isChain ? (
        <ChainCells model={model} row={row} />
      ) : (
        <TurnCells {...props} turn={at} said={words} />
      )}
    </div>
  );
});

/** `said` is what the turn says; undefined while it is read. */
function TurnCells(props: OutlineRowProps & { turn: number; said: Turn | undefined }) {
  const { model, tree, turn, said, isHit, find } = props;
  const onPath = isOnPath(model.strands, model.path, turn);
  const opening = said && openingWord(said);
  const { skeleton, strands } = model;
  const older = useMemo(() => olderSiblings(skeleton, strands, turn), [skeleton, strands, turn]);
  useWanted(props.words, older);
  useEveryWord(props.words, older.length > 0);
  const text = isHit ? turnText(said) : partingText(skeleton, strands, props.words, turn);
  return (
    <>
      {/* While one searches, what was not found steps back. */}
      <Cell
        dir="auto"
        className={clsx(
          "min-w-0 truncate",
          onPath && isHit !== false ? "text-text" : "text-text-3",
        )}
      >
        {opening && <span className="text-text-3">{opening} · </span>}
        <span dir="auto" className={clsx(said?.preview === "" && "italic")}>
          <MarkedText text={text} find={isHit ? find : ""} />
        </span>
      </Cell>
      {said?.authors && <TurnAuthors names={said.authors} authors={props.words.authors} />}
      <LabelChip tree={tree} turn={turn} />
      {turn === tree.headTurn && (
        <span className="ms-2 flex-none text-sm text-accent">{t("◂ current")}</span>
      )}
      <FoldedCount model={model} turn={turn} />
      <span className="flex-1" />
      <TurnMarks tree={tree} turn={turn} isLinked={props.isLinked} />
      <TurnBadges tree={tree} turn={turn} />
      <CountCell count={int(model.skeleton.messages, turn)} />
    </>
  );
}

/** How many authors of a turn a row names; of more it draws the colors. */
const namedAuthors = 2;

/** The agents that answer in a turn of a session with several; `names` has one in each line. */
function TurnAuthors({ names, authors }: { names: string; authors: readonly string[] }) {
  const list = names.split("\n");
  if (list.length > namedAuthors)
    return (
      <span
        title={list.join(", ")}
        className="ms-2 flex flex-none items-center gap-1 text-sm text-text-2"
      >
        {list.map((name) => (
          <span
            key={name}
            aria-hidden="true"
            className="size-2 rounded-full"
            style={{ background: authorColor(name, authors) }}
          />
        ))}
        <span className="ms-0.5">{plural(list.length, "{{count}} agent", "{{count}} agents")}</span>
      </span>
    );
  return (
    <span className="ms-2 flex max-w-[45%] min-w-0 flex-none gap-2 overflow-hidden text-sm text-text-2">
      {list.map((name) => (
        <AuthorMark key={name} name={name} authors={authors} className="max-w-24" />
      ))}
    </span>
  );
}

function ChainCells({ model, row }: { model: OutlineModel; row: number }) {
  const { count, messages } = chainExtent(model, row);
  return (
    <>
      <Cell className="truncate text-text-3">{`… ${formatPlural(count, "turn")}`}</Cell>
      <span className="flex-1" />
      <CountCell count={messages} />
    </>
  );
}

function Cell(props: React.ComponentProps<"span">) {
  // biome-ignore lint/a11y: rows take the focus, not cells, and a table cannot be drawn in part
  return <span role="gridcell" {...props} />;
}

function CountCell({ count }: { count: number }) {
  return (
    <Cell className="min-w-[34px] flex-none ps-2 text-end text-sm text-text-3">
      {formatCount(count)}
    </Cell>
  );
}

/** A button on a row that hides turns; the outline hears its click. */
function FoldedCount({ model, turn }: { model: OutlineModel; turn: number }) {
  if (isExpanded(model, turn) !== false) return null;
  const turns = foldedSize(model, turn);
  return (
    <span
      data-unfold
      className="ms-2 flex-none rounded-full bg-sunken px-[7px] text-xs text-text-2 hover:bg-border"
    >
      {`+ ${formatCount(turns)}`}
    </span>
  );
}
