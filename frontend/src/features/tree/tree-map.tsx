import { LocateFixed, Maximize, Minus, Plus } from "lucide-react";
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { ContextMenu } from "@/components/context-menu";
import { IconButton } from "@/components/icon-button";
import type { MenuEntry } from "@/components/menu-entry";
import { useCommand } from "@/lib/commands";
import { MapController, minimapSize, pageZoom } from "./map-controller";
import { mapKey } from "./map-keys";
import { sceneOf } from "./map-scene";
import type { TreeLayout } from "./use-layout";

interface TreeMapProps {
  layout: TreeLayout;
  head: number;
  /** The turn on screen in the transcript; -1 for none. */
  shown: number;
  selected: number;
  /** What the selected turn is called. */
  selectedName: string;
  onSelect: (turn: number) => void;
  onView: (turn: number) => void;
  onContinue: (turn: number) => void;
  /** Name the turn; the label's field stands at that height of the map. */
  onLabel: (turn: number, top: number) => void;
  /** The pointer rests on a turn, at that height of the map; null: no longer. */
  onHover: (hover: { turn: number; top: number } | null) => void;
  menuFor: (turn: number, top: number) => readonly MenuEntry[];
}

/** A pointer that has moved less than this has clicked. */
const slack = 4;

/** The whole tree as a picture to move about in. People who cannot see it have the outline. */
export function TreeMap(props: TreeMapProps) {
  const { layout, head, shown, selected, onHover } = props;
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const minimap = useRef<HTMLCanvasElement>(null);
  const controller = useController(frame, canvas, minimap);
  const [hovered, setHovered] = useState(-1);
  const scene = useMemo(() => sceneOf(layout), [layout]);
  useEffect(() => {
    controller.current?.setScene(scene);
  }, [controller, scene]);
  useEffect(() => {
    controller.current?.setMarks({ head, shown, selected, hovered });
  }, [controller, head, shown, selected, hovered]);
  useCommand("zoom-to-fit", () => controller.current?.fit(), {
    title: "Zoom the map to fit",
    keys: "0",
    group: "Tree",
    local: true,
  });

  function handleKey(event: KeyboardEvent) {
    const action = mapKey(event, layout, selected);
    if (!action) return;
    event.preventDefault();
    const map = controller.current;
    switch (action.do) {
      case "zoom":
        return map?.zoom(action.factor);
      case "pan":
        return map?.pan(action.right, action.down);
      case "fit":
        return map?.fit();
      case "current":
        return goToCurrent();
      case "select":
        return props.onSelect(action.turn);
      case "view":
        return props.onView(action.turn);
      case "continue":
        return props.onContinue(action.turn);
      case "label":
        return props.onLabel(action.turn, map?.heightOf(action.turn) ?? 0);
    }
  }

  const goToCurrent = () => {
    props.onSelect(shown);
    controller.current?.center(shown);
  };
  const turnUnder = (event: PointerEvent | MouseEvent) => {
    const { x, y } = pointIn(canvas.current, event);
    return controller.current?.turnAt(x, y) ?? -1;
  };
  const hover = (turn: number) => {
    setHovered(turn);
    onHover(turn < 0 ? null : { turn, top: controller.current?.heightOf(turn) ?? 0 });
  };
  const pressed = useRef<{ x: number; y: number; isDrag: boolean }>(null);
  const wasDrag = useRef(false);
  // The first click may change the path and so move the map; the second one means the same turn.
  const clicked = useRef(-1);
  const underMenu = useRef(-1);

  return (
    <div className="relative min-h-0 flex-1">
      <div ref={frame} className="absolute inset-0 overflow-hidden">
        <ContextMenu
          entries={() => {
            const turn = underMenu.current;
            hover(-1);
            if (turn < 0) return [];
            props.onSelect(turn);
            return props.menuFor(turn, controller.current?.heightOf(turn) ?? 0);
          }}
        >
          <div
            role="application"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the focus
            tabIndex={0}
            data-pane-focus
            aria-label="Map of the tree"
            aria-roledescription="map"
            aria-describedby="tree-map-help"
            className="absolute inset-0 cursor-grab outline-none focus-visible:outline-2 focus-visible:-outline-offset-2 active:cursor-grabbing"
            onKeyDown={handleKey}
            onContextMenu={(event) => {
              underMenu.current = event.button === 2 ? turnUnder(event.nativeEvent) : selected;
            }}
            onPointerDown={(event) => {
              if (event.button !== 0) return;
              event.currentTarget.setPointerCapture(event.pointerId);
              pressed.current = { x: event.clientX, y: event.clientY, isDrag: false };
              hover(-1);
            }}
            onPointerMove={(event) => {
              const drag = pressed.current;
              if (!drag) return hover(turnUnder(event));
              const right = drag.x - event.clientX;
              const down = drag.y - event.clientY;
              if (!drag.isDrag && Math.hypot(right, down) < slack) return;
              controller.current?.pan(right / pageZoom(), down / pageZoom());
              pressed.current = { x: event.clientX, y: event.clientY, isDrag: true };
            }}
            onPointerUp={() => {
              wasDrag.current = pressed.current?.isDrag === true;
              pressed.current = null;
            }}
            onPointerCancel={() => {
              pressed.current = null;
            }}
            onPointerLeave={() => hover(-1)}
            onWheel={() => hover(-1)}
            onClick={(event) => {
              if (event.detail > 1) return;
              const turn = turnUnder(event.nativeEvent);
              clicked.current = turn;
              if (turn < 0) return;
              props.onSelect(turn);
              props.onView(turn);
            }}
            onDoubleClick={() => clicked.current >= 0 && props.onContinue(clicked.current)}
          >
            <div aria-hidden="true" className="size-full">
              <canvas ref={canvas} className="block size-full" />
            </div>
          </div>
        </ContextMenu>
        <Minimap canvas={minimap} onGo={(x, y) => controller.current?.centerMinimap(x, y)} />
      </div>
      <span id="tree-map-help" className="sr-only">
        Arrow keys go from turn to turn, Enter shows one. The outline has the same turns as a list.
      </span>
      <span aria-live="polite" className="sr-only">
        {props.selectedName}
      </span>
      <div className="absolute -top-[36px] right-2.5 flex">
        <IconButton
          icon={Plus}
          label="Zoom in"
          keys="+"
          side="right"
          onClick={() => controller.current?.zoom(1.5)}
        />
        <IconButton
          icon={Minus}
          label="Zoom out"
          keys="Minus"
          side="right"
          onClick={() => controller.current?.zoom(1 / 1.5)}
        />
        <IconButton
          icon={Maximize}
          label="Zoom to fit"
          keys="0"
          side="right"
          onClick={() => controller.current?.fit()}
        />
        <IconButton
          icon={LocateFixed}
          label="Go to the current turn"
          keys="Home"
          side="right"
          onClick={goToCurrent}
        />
      </div>
    </div>
  );
}

interface MinimapProps {
  canvas: React.RefObject<HTMLCanvasElement | null>;
  onGo: (x: number, y: number) => void;
}

// The whole map small. A click or a drag goes there; keys have the map itself.
function Minimap({ canvas, onGo }: MinimapProps) {
  const go = (event: PointerEvent) => {
    if (event.buttons % 2 === 0) return;
    const { x, y } = pointIn(canvas.current, event);
    onGo(x, y);
  };
  return (
    <div aria-hidden="true">
      <canvas
        ref={canvas}
        hidden
        style={minimapSize}
        className="absolute right-3 bottom-3 rounded border border-border bg-bg"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          go(event);
        }}
        onPointerMove={go}
      />
    </div>
  );
}

/** Where a pointer is in an element, in the element's own pixels, whatever the window's zoom. */
function pointIn(
  element: HTMLElement | null,
  event: { clientX: number; clientY: number },
): { x: number; y: number } {
  if (!element) return { x: 0, y: 0 };
  const { left, top, width } = element.getBoundingClientRect();
  const zoom = width / Math.max(1, element.offsetWidth);
  return { x: (event.clientX - left) / zoom, y: (event.clientY - top) / zoom };
}

function useController(
  frame: React.RefObject<HTMLElement | null>,
  canvas: React.RefObject<HTMLCanvasElement | null>,
  minimap: React.RefObject<HTMLCanvasElement | null>,
) {
  const controller = useRef<MapController>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element || !canvas.current || !minimap.current) return;
    const map = new MapController(canvas.current, minimap.current);
    controller.current = map;
    const measure = () => map.resize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(element);
    const themed = new MutationObserver(() => map.refreshTheme());
    themed.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ["data-theme", "style"],
    });
    // A wheel listener of React cannot keep the page from zooming.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      const unit = event.deltaMode === 1 ? 28 : 1;
      if (event.ctrlKey || event.metaKey)
        map.zoom(Math.exp(-event.deltaY * unit * 0.0025), pointIn(element, event));
      else map.pan(event.deltaX * unit, event.deltaY * unit);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => {
      element.removeEventListener("wheel", wheel);
      resized.disconnect();
      themed.disconnect();
      map.dispose();
      controller.current = null;
    };
  }, [frame, canvas, minimap]);
  return controller;
}
