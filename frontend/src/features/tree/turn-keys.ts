import { isTextField } from "@/lib/keys";
import type { TurnActions } from "./turn-actions";

type TurnKey = "d";

const acts: Record<TurnKey, (actions: TurnActions, turn: number) => void> = {
  d: (actions, turn) => actions.compare(turn),
};

/** Does what a letter says with the selected turn, in the outline and on the map alike; false where it says nothing. */
export function pressTurnKey(event: KeyboardEvent, actions: TurnActions, turn: number): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || turn < 0)
    return false;
  if (isTextField(event.target)) return false;
  const act = acts[event.key.toLowerCase() as TurnKey];
  act?.(actions, turn);
  return act !== undefined;
}
