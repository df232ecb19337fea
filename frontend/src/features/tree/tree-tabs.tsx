import {
  ChartNoAxesColumn,
  History,
  ListTree,
  Map as MapIcon,
  Maximize2,
  Minimize2,
  Search,
  Users,
} from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { Tabs } from "@/components/form/tabs";
import { Menu } from "@/components/menu/menu";
import { useTight } from "@/lib/browser/tight";
import { msg, t, translate } from "@/lib/i18n/i18n";
import { commandSpec, runCommand } from "@/lib/keys/commands";
import { FilterChip } from "./filter-chip";
import { MeasureChoice } from "./map/measure-choice";
import type { OutlineState } from "./outline/use-outline";
import { type MapShape, type TreeTab, useFullMap } from "./use-looks";

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
  /** The map shows a lane for each agent; undefined: the session has one agent. */
  isByAgent: boolean | undefined;
  outline: OutlineState;
  onFind: () => void;
}

/** The line above the tree: outline, map or checkpoints, which turns are listed, and the search. */
export function TreeTabs({ tab, onTab, isTimeline, isByAgent, outline, onFind }: TreeTabsProps) {
  const { title, keys } = commandSpec("find-in-tree");
  const [isFull, setFull] = useFullMap();
  const row = useTight();
  const named = tabs.map((tab) => ({ ...tab, title: translate(tab.title) }));
  const other = isTimeline ? "show-map" : "show-timeline";
  return (
    <div ref={row} className="flex h-11 flex-none items-center gap-1 border-b border-border px-3">
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
      {tab === "map" && isByAgent !== undefined && (
        <ShapeMenu shape={isByAgent ? "agents" : isTimeline ? "timeline" : "map"} />
      )}
      {tab === "map" && isByAgent === undefined && (
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

/** How the map shows a session of several agents. */
function ShapeMenu({ shape }: { shape: MapShape }) {
  const shapes = [
    { name: "map", command: "show-map", icon: MapIcon },
    { name: "timeline", command: "show-timeline", icon: ChartNoAxesColumn },
    { name: "agents", command: "show-agents", icon: Users },
  ] as const;
  const icon = shapes.find(({ name }) => name === shape)?.icon ?? MapIcon;
  return (
    <Menu
      align="end"
      label={t("Show as")}
      entries={shapes.map(({ name, command }) => ({
        title: commandSpec(command).title,
        checked: name === shape,
        onSelect: () => runCommand(command),
      }))}
      trigger={<IconButton icon={icon} label={t("Show as")} />}
    />
  );
}
