import { memo } from "react";
import { int } from "../layout/columns";
import { laneColor, laneCSS } from "../layout/lane-color";
import type { OutlineModel } from "../layout/outline-model";
import { isOnPath } from "../layout/path-ends";
import { drawnRow, type GutterSize, laneX } from "./gutter";
import { rowHeight } from "./row-height";

interface GutterCellProps {
  model: OutlineModel;
  row: number;
  size: GutterSize;
  /** The row holds the head. */
  isHead: boolean;
}

const middle = rowHeight / 2;

/** The lanes in a row, and the row's turn as a ring on its own; filled at the head, a dot for a folded chain. The path is thicker. */
export const GutterCell = memo(function GutterCell(props: GutterCellProps) {
  const { model, row, size, isHead } = props;
  const { strands, rows, skeleton, path } = model;
  const turn = int(rows.turn, row);
  const own = int(strands.of, turn);
  const colorOf = (strand: number, isOn: boolean) =>
    laneCSS(isOn ? 0 : laneColor(skeleton, strands, strand));
  const x = laneX(size, int(rows.lane, own));
  const isOn = isOnPath(strands, path, turn);
  const color = colorOf(own, isOn);
  const isChain = int(rows.chain, row) > 0;
  return (
    <svg
      width={size.width}
      height={rowHeight}
      className="flex-none overflow-visible"
      aria-hidden="true"
      fill="none"
    >
      {drawnRow(model, row, size).map(({ line, d }) => (
        <path
          key={d}
          d={d}
          stroke={line.isTail ? "var(--border-strong)" : colorOf(line.strand, line.isOnPath)}
          strokeWidth={line.isOnPath ? 2.5 : 1.5}
        />
      ))}
      {isChain ? (
        <circle cx={x} cy={middle} r={2} fill={color} />
      ) : (
        <circle
          cx={x}
          cy={middle}
          r={isOn ? 4.5 : 4}
          fill={isHead ? color : "var(--surface)"}
          stroke={color}
          strokeWidth={isOn ? 2 : 1.75}
        />
      )}
    </svg>
  );
});
