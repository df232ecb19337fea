import { type RefObject, useLayoutEffect, useState } from "react";
import { useWindowState } from "@/lib/store/window-state";
import type { TreeLayout } from "../layout/use-layout";
import { bestOrientation, type Orientation } from "./map-view";

/** What the user has chosen; empty: what suits each tree. */
const byTree = "" as Orientation | "";

/**
 * Where the map of a tree grows to, and a way to turn it. What suits the tree in its frame when the map opens, until a
 * user flips it; flipped back, the tree decides again.
 */
export function useOrientation(
  frame: RefObject<HTMLElement | null>,
  { map }: TreeLayout,
): [Orientation, () => void] {
  const [chosen, choose] = useWindowState("mapGrows", byTree);
  const [best, setBest] = useState<Orientation>("down");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tree that grows under one's eyes does not turn
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const size = { width: element.clientWidth, height: element.clientHeight };
    setBest(bestOrientation(map, size));
  }, [frame]);
  const orientation = chosen || best;
  const turn = () => {
    const other = orientation === "down" ? "right" : "down";
    choose(other === best ? "" : other);
  };
  return [orientation, turn];
}
