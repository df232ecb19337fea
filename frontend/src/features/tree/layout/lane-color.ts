import type { Skeleton } from "@/lib/tree/skeleton";
import { int } from "./columns";
import { firstTurn, type Strands } from "./strands";

/** How many colours there are beside the path's. */
export const laneColors = 8;

/** The colour of a strand: 0, the accent, for the path, else 1 to 8 by its branch, which keeps it for life. */
export function laneColor({ branch }: Skeleton, strands: Strands, strand: number): number {
  if (strand === 0) return 0;
  return 1 + ((int(branch, firstTurn(strands, strand)) + laneColors - 1) % laneColors);
}

/** The colour as a CSS value. */
export function laneCSS(color: number): string {
  return color === 0 ? "var(--accent)" : `var(--lane-${color})`;
}
