import { useMemo } from "react";
import { useWindowState } from "@/lib/store/window-state";
import type { Filter } from "./filter";
import type { SiblingOrder } from "./fork-order";

const allTurns = "all" as Filter;
const oldestFirst = "oldest" as SiblingOrder;

/** Which turns outlines list and in which order, of all trees alike, and the ways to change it. */
export function useListing() {
  const [filter, setFilter] = useWindowState("treeFilter", allTurns);
  const [order, setOrder] = useWindowState("treeOrder", oldestFirst);
  return useMemo(
    () =>
      [
        { filter, order },
        { setFilter, setOrder },
      ] as const,
    [filter, order, setFilter, setOrder],
  );
}
