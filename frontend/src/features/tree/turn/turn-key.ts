import { commandFor } from "@/lib/keys/commands";
import type { KeyPress } from "@/lib/keys/keys";

const turnKeys = ["view-turn", "continue-turn", "label-turn", "hoist"] as const;

/** An action on the turn at the cursor of the outline or the map. */
export type TurnKey = (typeof turnKeys)[number];

/** Returns the action that a key press means there, as the table of commands defines it. */
export function turnKey(press: KeyPress): TurnKey | undefined {
  const name = commandFor(press, "turns");
  return turnKeys.find((key) => key === name);
}
