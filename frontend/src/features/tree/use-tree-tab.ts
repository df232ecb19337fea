import { useWindowState } from "@/lib/window-state";

/** What a tree is shown as. */
export type TreeTab = "outline" | "map";

const first = "outline" as TreeTab;

/** What trees are shown as, remembered between two starts. */
export function useTreeTab() {
  return useWindowState("treeTab", first);
}
