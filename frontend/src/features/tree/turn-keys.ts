import { isTextField } from "@/lib/keys";
import type { Tending } from "./tending";
import type { TurnActions } from "./turn-actions";

interface KeyScene {
  actions: TurnActions;
  tending: Tending;
  /** The selected turn; -1: none. */
  turn: number;
  /** The turns that are marked; what tends acts on these, where there are any. */
  marked: ReadonlySet<number>;
}

/** Does what a key says with the selected turn, in the outline and on the map alike; false where it says nothing. */
export function pressTurnKey(event: KeyboardEvent, scene: KeyScene): boolean {
  const { actions, tending, turn, marked } = scene;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || turn < 0)
    return false;
  if (isTextField(event.target)) return false;
  const turns = marked.size > 0 ? [...marked] : [turn];
  switch (event.key) {
    case "d":
    case "D":
      actions.compare(turn);
      return true;
    case "b":
    case "B":
      tending.bookmark(turns);
      return true;
    case "Delete":
      tending.trash(turns);
      return true;
    default:
      return false;
  }
}
