import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { ContextMenu } from "@/components/menu/context-menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { t } from "@/lib/i18n/i18n";
import { runCommand, useCommand } from "@/lib/keys/commands";
import type { DragHandle } from "../drag/turn-drag";
import type { PathEnds } from "../layout/path-ends";
import type { TreeLayout } from "../layout/use-layout";
import type { TurnWords } from "../turn/turn-words";
import type { TurnWork } from "../turn/turn-work";
import { MapControls } from "./map-controls";
import { mapKey } from "./map-keys";
import { sceneOf } from "./map-scene";
import { Minimap } from "./minimap";
import { useMapController } from "./use-map-controller";
import { useMapDrag } from "./use-map-drag";
import { useMapPointer } from "./use-map-pointer";
import { useMeasure } from "./use-measure";
import { useOrientation } from "./use-orientation";

interface TreeMapProps {
  layout: TreeLayout;
  /** The path on screen. */
  path: PathEnds;
  words: TurnWords;
  work: TurnWork;
  /** The turns that were found; null while nothing is looked for. */
  found: Int32Array | null;
  /** The turn on screen in the transcript; -1 for none. */
  shown: number;
  /** The turn at the top of the transcript; -1 for none. */
  reading: number;
  selected: number;
  /** What the selected turn is called. */
  selectedName: string;
  onSelect: (turn: number) => void;
  onView: (turn: number) => void;
  onContinue: (turn: number) => void;
  /** Show the tree below the turn alone, or all of it again. */
  onHoist: (turn: number) => void;
  /** Labels the turn; the field appears at that height of the map. */
  onLabel: (turn: number, top: number) => void;
  /** The pointer rests on a turn, at that height of the map; null: no longer. */
  onHover: (hover: { turn: number; top: number } | null) => void;
  menuFor: (turn: number, top: number) => readonly MenuEntry[];
  drag: DragHandle;
}

/** The whole tree as a picture to move about in. People who cannot see it have the outline. */
export function TreeMap(props: TreeMapProps) {
  const { layout, path, words, found, shown, reading: read, selected, onHover } = props;
  const { headTurn: head } = layout.tree;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const minimap = useRef<HTMLCanvasElement>(null);
  const controller = useMapController(frame, canvas, minimap, words, props.work);
  const [measure] = useMeasure();
  const [hovered, setHovered] = useState(-1);
  const [orientation, turnMap] = useOrientation(frame, layout);
  const scene = useMemo(() => sceneOf(layout, orientation), [layout, orientation]);
  useEffect(() => {
    controller.current?.setScene(scene);
  }, [controller, scene]);
  useEffect(() => {
    controller.current?.setMeasure(measure);
  }, [controller, measure]);
  useEffect(() => {
    controller.current?.setMarks({ path, head, selected, hovered, read, found });
  }, [controller, path, head, selected, hovered, read, found]);
  const zoomToFit = () => controller.current?.fit();
  useCommand("zoom-to-fit", zoomToFit);
  useCommand("turn-map", turnMap);

  const goToCurrent = () => {
    props.onSelect(shown);
    controller.current?.goTo(shown);
  };
  const heightOf = (turn: number) => controller.current?.heightOf(turn) ?? 0;
  const { turnUnder, cursorUnder, onTake } = useMapDrag(canvas, controller, props.drag);
  const hover = (turn: number) => {
    setHovered(turn);
    onHover(turn < 0 ? null : { turn, top: heightOf(turn) });
  };
  const pointer = useMapPointer({
    turnUnder,
    cursorUnder,
    onTake,
    onPan: (right, down) => controller.current?.pan(right, down),
    onHover: hover,
    onClick: (turn) => {
      props.onSelect(turn);
      props.onView(turn);
    },
    onDoubleClick: props.onContinue,
  });

  function handleKey(event: KeyboardEvent) {
    const action = mapKey(event, layout, selected, orientation);
    if (!action) return;
    event.preventDefault();
    switch (action.do) {
      case "zoom":
        return controller.current?.zoom(action.factor);
      case "pan":
        return controller.current?.pan(action.right, action.down);
      case "fit":
        return zoomToFit();
      case "current":
        return goToCurrent();
      case "flip":
        return turnMap();
      case "timeline":
        return void runCommand("show-timeline");
      case "select":
        return props.onSelect(action.turn);
      case "view-turn":
        return props.onView(action.turn);
      case "continue-turn":
        return props.onContinue(action.turn);
      case "hoist":
        return props.onHoist(action.turn);
      case "label-turn":
        return props.onLabel(action.turn, heightOf(action.turn));
    }
  }

  const underMenu = useRef(-1);
  const menuEntries = () => {
    const turn = underMenu.current;
    hover(-1);
    if (turn < 0) return [];
    props.onSelect(turn);
    return props.menuFor(turn, heightOf(turn));
  };

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div ref={frame} className="relative min-h-0 flex-1 overflow-hidden">
        <ContextMenu entries={menuEntries}>
          <div
            role="application"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the focus
            tabIndex={0}
            data-pane-focus
            data-map
            aria-label={t("Map of the tree")}
            aria-roledescription={t("map")}
            aria-describedby="tree-map-help"
            className="absolute inset-0 cursor-grab -outline-offset-2 active:cursor-grabbing"
            onKeyDown={handleKey}
            onContextMenu={(event) => {
              underMenu.current = event.button === 2 ? turnUnder(event) : selected;
            }}
            {...pointer}
          >
            <div aria-hidden="true" className="size-full">
              <canvas ref={canvas} className="block size-full" />
            </div>
          </div>
        </ContextMenu>
        <Minimap canvas={minimap} onGo={(x, y) => controller.current?.centerMinimap(x, y)} />
      </div>
      <span id="tree-map-help" className="sr-only">
        {t(
          "Arrow keys go from turn to turn, Enter shows one. The outline has the same turns as a list.",
        )}
      </span>
      <span aria-live="polite" className="sr-only">
        {props.selectedName}
      </span>
      <MapControls
        onZoom={(factor) => controller.current?.zoom(factor)}
        onFit={zoomToFit}
        onCurrent={goToCurrent}
        orientation={orientation}
        onTurn={turnMap}
      />
    </div>
  );
}
