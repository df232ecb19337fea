import { useCallback } from "react";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { useAuthors } from "@/lib/session/authors";
import { createStore, useStore } from "@/lib/store/store";
import { useWindowState } from "@/lib/store/window-state";
import type { Filter } from "./layout/filter";
import { useListing } from "./layout/use-listing";

/** How the tree is shown. */
export type TreeTab = "outline" | "map" | "checkpoints";

/** How the map tab shows a session: as a map, as a timeline, or with a lane for each agent. */
export type MapShape = "map" | "timeline" | "agents";

/** Session → what the user has chosen for it; the others are shown as suits them. It is forgotten when the window closes. */
const shapes = createStore<ReadonlyMap<string, MapShape>>(new Map());

/** What the user has chosen for a session, undefined for nothing, and the way to choose. */
export function useMapShape(
  sessionId: string,
): [MapShape | undefined, (shape: MapShape | undefined) => void] {
  const shape = useStore(shapes, (now) => now.get(sessionId));
  const set = useCallback(
    (next: MapShape | undefined) => {
      const all = new Map(shapes.get());
      if (next) all.set(sessionId, next);
      else all.delete(sessionId);
      shapes.set(all);
    },
    [sessionId],
  );
  return [shape, set];
}

const firstTab = "outline" as TreeTab;

/** How trees are shown, all alike, and the way to change it. */
export function useTreeTab() {
  return useWindowState("treeTab", firstTab);
}

/** Whether the map takes the whole window, and the way to change it. It does not stay so when the window is opened again. */
export function useFullMap(): [boolean, (isFull: boolean) => void] {
  const [tab] = useTreeTab();
  const isFull = useStore(fullMap, (now) => now);
  return [isFull && tab === "map", fullMap.set];
}

const fullMap = createStore(false);

/**
 * Registers the ways to show trees. None of them needs a tree: what is asked for while one is read is how it is shown
 * when it has come.
 */
export function useLooksCommands(sessionId: string, isOffered: boolean): void {
  const [tab, setTab] = useTreeTab();
  const [{ filter, order }, { setFilter, setOrder }] = useListing();
  useCommand("show-outline", () => setTab("outline"), { enabled: isOffered });
  const [, setShape] = useMapShape(sessionId);
  const showAs = (shape: MapShape) => () => {
    setTab("map");
    setShape(shape);
  };
  useCommand("show-map", showAs("map"), { enabled: isOffered });
  useCommand("show-timeline", showAs("timeline"), { enabled: isOffered });
  const hasAgents = useAuthors(sessionId).length > 0;
  useCommand("show-agents", showAs("agents"), { enabled: isOffered && hasAgents });
  useCommand("show-checkpoints", () => setTab("checkpoints"), { enabled: isOffered });
  const [isFull, setFull] = useFullMap();
  useCommand(
    "full-map",
    () => {
      setTab("map");
      setFull(!isFull);
    },
    { enabled: isOffered, title: isFull ? t("Back to reading") : undefined },
  );
  const list = (next: Filter) => () => {
    setTab("outline");
    setFilter(next);
  };
  const isNew = (next: Filter) => ({
    enabled: isOffered && (tab !== "outline" || filter !== next),
  });
  useCommand("list-all", list("all"), isNew("all"));
  useCommand("list-prompts", list("prompts"), isNew("prompts"));
  useCommand("list-no-tools", list("no-tools"), isNew("no-tools"));
  useCommand("list-labelled", list("labelled"), isNew("labelled"));
  useCommand("turn-order", () => setOrder(order === "oldest" ? "newest" : "oldest"), {
    enabled: isOffered,
    title: order === "oldest" ? t("Newest alternatives first") : t("Oldest alternatives first"),
  });
}
