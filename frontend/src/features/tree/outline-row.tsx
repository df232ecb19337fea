import clsx from "clsx";
import { memo } from "react";
import type { Turn } from "@/lib/api";
import { formatCount, formatPlural } from "@/lib/format";
import { int } from "./columns";
import { foldedSize } from "./folds";
import type { GutterSize } from "./gutter";
import { GutterCell } from "./gutter-cell";
import { isExpanded, type OutlineModel } from "./outline-model";
import { rowHeight } from "./row-height";
import { levelOf } from "./rows";
import { chainExtent, chainName, openingWord, turnName, turnText } from "./turn-name";

interface OutlineRowProps {
  model: OutlineModel;
  turns: readonly Turn[];
  row: number;
  gutter: GutterSize;
  head: number;
  /** The turn on screen in the transcript. */
  shown: number;
  isSelected: boolean;
}

/** A line of the outline: a turn, or the turns of a folded chain. */
export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { model, turns, row, gutter, head, shown, isSelected } = props;
  const { strands, rows } = model;
  const at = int(rows.turn, row);
  const turn = turns[at];
  if (!turn) return null;
  const isChain = int(rows.chain, row) > 0;
  const isHead = !isChain && at === head;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be drawn in part
    <div
      role="row"
      tabIndex={isSelected ? 0 : -1}
      data-pane-focus={isSelected || undefined}
      data-row={row}
      data-turn={at}
      aria-rowindex={row + 1}
      aria-level={levelOf(strands, rows, at)}
      aria-setsize={isChain ? 1 : int(strands.alternatives, at)}
      aria-posinset={isChain ? 1 : int(strands.position, at) + 1}
      aria-expanded={isChain ? false : isExpanded(model, at)}
      aria-selected={isSelected}
      aria-current={!isChain && at === shown ? "true" : undefined}
      aria-label={isChain ? chainName(model, turns, row) : turnName(model, turn, head)}
      style={{ height: rowHeight, transform: `translateY(${row * rowHeight}px)` }}
      className={clsx(
        "absolute inset-x-0 top-0 flex items-center pr-3 -outline-offset-2",
        isSelected ? "bg-accent-soft" : "hover:bg-sunken",
      )}
    >
      <GutterCell model={model} row={row} size={gutter} isHead={isHead} />
      {isChain ? (
        <ChainCells model={model} turns={turns} row={row} />
      ) : (
        <TurnCells model={model} turn={turn} isHead={isHead} />
      )}
    </div>
  );
});

function TurnCells({ model, turn, isHead }: { model: OutlineModel; turn: Turn; isHead: boolean }) {
  const onPath = int(model.strands.of, turn.node) === 0;
  const opening = openingWord(turn);
  return (
    <>
      <NumberCell>{`n${turn.node}`}</NumberCell>
      <Cell className={clsx("min-w-0 truncate", onPath ? "text-text" : "text-text-3")}>
        {opening && <span className="text-text-3">{opening} · </span>}
        <span dir="auto" className={clsx(turn.preview === "" && "italic")}>
          {turnText(turn)}
        </span>
      </Cell>
      {turn.label !== "" && (
        <span className="ml-2 max-w-[40%] flex-none truncate rounded-full border border-border bg-surface px-[7px] text-xs text-text-2">
          {turn.label}
        </span>
      )}
      {isHead && <span className="ml-2 flex-none text-sm text-accent">◂ head</span>}
      <FoldedCount model={model} turn={turn.node} />
      <CountCell count={turn.messages} />
    </>
  );
}

function ChainCells({
  model,
  turns,
  row,
}: {
  model: OutlineModel;
  turns: readonly Turn[];
  row: number;
}) {
  const { count, messages } = chainExtent(model, turns, row);
  return (
    <>
      <NumberCell>
        <span className="pl-2">…</span>
      </NumberCell>
      <Cell className="truncate text-text-3">{formatPlural(count, "turn")}</Cell>
      <CountCell count={messages} />
    </>
  );
}

function Cell(props: React.ComponentProps<"span">) {
  // biome-ignore lint/a11y: rows take the focus, not cells, and a table cannot be drawn in part
  return <span role="gridcell" {...props} />;
}

function NumberCell({ children }: { children: React.ReactNode }) {
  return <Cell className="w-(--number-width) flex-none text-sm text-text-3">{children}</Cell>;
}

function CountCell({ count }: { count: number }) {
  return <Cell className="ml-auto flex-none pl-2 text-sm text-text-3">{formatCount(count)}</Cell>;
}

/** A button on a row that hides turns; the outline hears its click. */
function FoldedCount({ model, turn }: { model: OutlineModel; turn: number }) {
  if (isExpanded(model, turn) !== false) return null;
  const turns = foldedSize(model.strands, turn);
  return (
    <span
      data-unfold
      className="ml-2 flex-none rounded-full bg-sunken px-[7px] text-xs text-text-2 hover:bg-border"
    >
      {`+ ${formatCount(turns)}`}
    </span>
  );
}
