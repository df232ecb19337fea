import { memo } from "react";
import { int } from "../layout/columns";
import { laneColor, laneCSS } from "../layout/lane-color";
import type { OutlineModel } from "../layout/outline-model";
import { forkRise, type GutterSize, gutterRow, laneX } from "./gutter";
import { rowHeight } from "./row-height";

interface GutterCellProps {
  model: OutlineModel;
  row: number;
  size: GutterSize;
  /** The row holds the head. */
  isHead: boolean;
}

const middle = rowHeight / 2;

/** The lanes in a row, and the row's turn as a ring on its own; filled at the head, a dot for a folded chain. */
export const GutterCell = memo(function GutterCell({ model, row, size, isHead }: GutterCellProps) {
  const { strands, rows, skeleton } = model;
  const { lines, leaves } = gutterRow(model, row);
  const own = int(strands.of, int(rows.turn, row));
  const xOf = (strand: number) => laneX(size, int(rows.lane, strand));
  const colorOf = (strand: number) => laneCSS(laneColor(skeleton, strands, strand));
  const x = xOf(own);
  const from = leaves < 0 ? x : xOf(leaves);
  const isChain = int(rows.chain, row) > 0;
  return (
    <svg
      width={size.width}
      height={rowHeight}
      className="flex-none overflow-visible"
      aria-hidden="true"
      fill="none"
      strokeWidth={1.5}
    >
      {leaves >= 0 && (
        <path d={`M${from} ${-forkRise}C${from} 3 ${x} -1 ${x} ${middle}`} stroke={colorOf(own)} />
      )}
      {lines.map(({ strand, from, to, isTail }) => (
        <path
          key={`${strand} ${from}`}
          d={`M${xOf(strand)} ${from}V${to}`}
          stroke={isTail ? "var(--border-strong)" : colorOf(strand)}
          strokeWidth={strand === 0 && !isTail ? 2.5 : 1.5}
        />
      ))}
      {isChain ? (
        <circle cx={x} cy={middle} r={2} fill={colorOf(own)} />
      ) : (
        <circle
          cx={x}
          cy={middle}
          r={own === 0 ? 4.5 : 4}
          fill={isHead ? colorOf(own) : "var(--surface)"}
          stroke={colorOf(own)}
          strokeWidth={own === 0 ? 2 : 1.75}
        />
      )}
    </svg>
  );
});
