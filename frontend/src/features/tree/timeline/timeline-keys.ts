import { commandFor } from "@/lib/keys/commands";
import type { KeyPress } from "@/lib/keys/keys";
import { type TurnKey, turnKey } from "../turn/turn-key";
import type { Direction } from "./use-timeline";

/** What a key asks of the timeline. */
export type TimelineAction =
  | { do: "go"; bar: number }
  | { do: "zoom"; factor: number }
  | { do: "fit" | "map" | TurnKey };

/** How much a key zooms. */
const step = 1.5;
/** Page Up and Page Down pass over so many turns. */
const page = 10;

/** The action of a key press with a bar at the cursor, -1 for none; undefined where the timeline has no use for it. */
export function timelineKey(
  press: KeyPress,
  bar: number,
  count: number,
  direction: Direction,
): TimelineAction | undefined {
  const command = turnKey(press);
  if (command) return bar < 0 ? undefined : { do: command };
  if (commandFor(press, "map") === "show-timeline") return { do: "map" };
  if (press.altKey || press.shiftKey) return press.key === "+" ? zoomKey(press.key) : undefined;
  const zoom = zoomKey(press.key);
  if (zoom) return zoom;
  if (press.ctrlKey || press.metaKey) return undefined;
  const to = target(press.key, bar, count, direction);
  return to === undefined ? undefined : { do: "go", bar: Math.min(count - 1, Math.max(0, to)) };
}

function zoomKey(key: string): TimelineAction | undefined {
  if (key === "+" || key === "=") return { do: "zoom", factor: step };
  if (key === "-") return { do: "zoom", factor: 1 / step };
  return key === "0" ? { do: "fit" } : undefined;
}

function target(key: string, bar: number, count: number, direction: Direction) {
  const [back, forth] =
    direction === "right" ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  switch (key) {
    case back:
      return bar - 1;
    case forth:
      return bar + 1;
    case "PageUp":
      return bar - page;
    case "PageDown":
      return bar + page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}
