import type { Skeleton } from "@/lib/tree/skeleton";
import { int } from "./columns";
import { firstTurn, type Strands } from "./strands";

/** How many colors there are beside the path's. */
export const laneColors = 8;

/** The color of a strand: 1 to 8 by its branch, which keeps it for life. What of it is on screen is drawn in the accent, 0. */
export function laneColor({ branch }: Skeleton, strands: Strands, strand: number): number {
  const first = firstTurn(strands, strand);
  return first < 0 ? 0 : 1 + ((int(branch, first) + laneColors - 1) % laneColors);
}

/** The color as a CSS value. */
export function laneCSS(color: number): string {
  return color === 0 ? "var(--accent)" : `var(--lane-${color})`;
}
