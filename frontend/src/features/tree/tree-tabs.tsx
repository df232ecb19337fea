import {
  ChartNoAxesColumn,
  History,
  ListTree,
  Map as MapIcon,
  Maximize2,
  Minimize2,
  Search,
} from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { Tabs } from "@/components/form/tabs";
import { msg, t, translate } from "@/lib/i18n/i18n";
import { commandSpec, runCommand } from "@/lib/keys/commands";
import { FilterChip } from "./filter-chip";
import { MeasureChoice } from "./map/measure-choice";
import type { OutlineState } from "./outline/use-outline";
import { type TreeTab, useFullMap } from "./use-looks";

const tabs = [
  { name: "outline", title: msg("Outline"), icon: ListTree },
  { name: "map", title: msg("Map"), icon: MapIcon },
  { name: "checkpoints", title: msg("Checkpoints"), icon: History },
] as const;

interface TreeTabsProps {
  tab: TreeTab;
  onTab: (tab: TreeTab) => void;
  /** The map is shown as a timeline. */
  isTimeline: boolean;
  outline: OutlineState;
  onFind: () => void;
}

/** The line above the tree: outline, map or checkpoints, which turns are listed, and the search. */
export function TreeTabs({ tab, onTab, isTimeline, outline, onFind }: TreeTabsProps) {
  const { title, keys } = commandSpec("find-in-tree");
  const [isFull, setFull] = useFullMap();
  const named = tabs.map((tab) => ({ ...tab, title: translate(tab.title) }));
  const other = isTimeline ? "show-map" : "show-timeline";
  return (
    <div className="@container flex h-11 flex-none items-center gap-1 border-b border-border px-3">
      <Tabs label={t("Tree as")} value={tab} onChange={onTab} tabs={named} />
      <span className="flex-1" />
      {tab === "outline" && (
        <FilterChip
          value={outline.filter}
          onChange={outline.setFilter}
          order={outline.order}
          onOrder={outline.setOrder}
        />
      )}
      {isFull && <MeasureChoice />}
      {tab === "map" && (
        <IconButton
          icon={isTimeline ? MapIcon : ChartNoAxesColumn}
          label={commandSpec(other).title}
          keys={commandSpec("show-timeline").keys[0]}
          onClick={() => runCommand(other)}
        />
      )}
      {tab === "map" && (
        <IconButton
          icon={isFull ? Minimize2 : Maximize2}
          label={isFull ? t("Back to reading") : commandSpec("full-map").title}
          keys={commandSpec("full-map").keys[0]}
          onClick={() => setFull(!isFull)}
        />
      )}
      <IconButton icon={Search} label={title.replace(/…$/, "")} keys={keys[0]} onClick={onFind} />
    </div>
  );
}
