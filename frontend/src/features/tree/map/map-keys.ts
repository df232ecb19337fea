import { commandFor } from "@/lib/keys/commands";
import type { KeyPress } from "@/lib/keys/keys";
import { parentOf } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import type { Layout } from "../layout/layout";
import { firstTurn, nextOnStrand, siblingsOf } from "../layout/strands";
import { type TurnKey, turnKey } from "../turn/turn-key";
import type { Orientation } from "./map-view";

/** What a key asks of the map. */
type MapAction =
  | { do: "select" | TurnKey; turn: number }
  | { do: "zoom"; factor: number }
  | { do: "pan"; right: number; down: number }
  | { do: "fit" | "current" | "flip" | "timeline" };

const step = 1.25;
const stride = 60;

/** The action of a key press with a turn selected; undefined where the map has no use for it. */
export function mapKey(
  press: KeyPress,
  layout: Layout,
  selected: number,
  orientation: Orientation = "down",
): MapAction | undefined {
  const control = press.ctrlKey || press.metaKey;
  const zoom = zoomKey(press.key);
  if (zoom && !press.altKey) return zoom;
  if (press.altKey) return control ? undefined : siblingKey(press.key, layout, selected);
  const command = turnKey(press);
  if (command) return on(selected, command);
  const ofMap = commandFor(press, "map");
  if (ofMap === "turn-map") return { do: "flip" };
  if (ofMap === "show-timeline") return { do: "timeline" };
  if (control) return undefined;
  if (press.shiftKey) return panKey(press.key);
  const key = orientation === "right" ? (turned[press.key] ?? press.key) : press.key;
  return moveKey(key, layout, selected);
}

/** What an arrow key is on a map that lies. */
const turned: Record<string, string> = {
  ArrowUp: "ArrowLeft",
  ArrowLeft: "ArrowUp",
  ArrowDown: "ArrowRight",
  ArrowRight: "ArrowDown",
};

function on(turn: number, action: "select" | TurnKey) {
  return turn < 0 ? undefined : { do: action, turn };
}

// With and without Ctrl, as the window's own zoom.
function zoomKey(key: string): MapAction | undefined {
  switch (key) {
    case "+":
    case "=":
      return { do: "zoom", factor: step };
    case "-":
      return { do: "zoom", factor: 1 / step };
    case "0":
      return { do: "fit" };
    default:
      return undefined;
  }
}

function panKey(key: string): MapAction | undefined {
  switch (key) {
    case "ArrowUp":
      return { do: "pan", right: 0, down: -stride };
    case "ArrowDown":
      return { do: "pan", right: 0, down: stride };
    case "ArrowLeft":
      return { do: "pan", right: -stride, down: 0 };
    case "ArrowRight":
      return { do: "pan", right: stride, down: 0 };
    default:
      return undefined;
  }
}

function moveKey(key: string, layout: Layout, turn: number): MapAction | undefined {
  const { skeleton, strands } = layout;
  if (key === "Home") return { do: "current" };
  if (turn < 0) return undefined;
  switch (key) {
    case "ArrowUp":
      return on(parentOf(skeleton, turn), "select");
    case "ArrowDown": {
      const next = nextOnStrand(strands, turn);
      return on(next >= 0 ? next : firstFork(layout, turn), "select");
    }
    case "ArrowRight":
      return on(firstFork(layout, turn), "select");
    case "ArrowLeft":
      return on(int(strands.fork, int(strands.of, turn)), "select");
    default:
      return undefined;
  }
}

function firstFork({ strands }: Layout, turn: number): number {
  const at = int(strands.forkStart, turn);
  return at < int(strands.forkStart, turn + 1) ? firstTurn(strands, int(strands.forks, at)) : -1;
}

function siblingKey(key: string, layout: Layout, turn: number): MapAction | undefined {
  if (turn < 0 || (key !== "ArrowUp" && key !== "ArrowDown")) return undefined;
  const siblings = siblingsOf(layout.skeleton, layout.strands, turn);
  const next = siblings[siblings.indexOf(turn) + (key === "ArrowUp" ? -1 : 1)];
  return next === undefined ? undefined : on(next, "select");
}
