// What dropping a turn does, by what it is dropped on.

import type { Tree } from "@/lib/tree/skeleton";
import { parentOf } from "@/lib/tree/skeleton";
import { byte } from "../layout/columns";

/** What is under the pointer. */
export type DropTarget =
  | { kind: "turn"; turn: number }
  | { kind: "session"; id: string }
  | { kind: "composer" };

/** What happens to the dragged turn. */
export type Drop =
  | { do: "copy" | "compare"; turn: number }
  | { do: "copy-into"; sessionId: string }
  | { do: "quote" };

/** Returns what dropping a turn there does; undefined if nothing. */
export function dropOf(
  { skeleton, inTrash }: Pick<Tree, "skeleton" | "inTrash">,
  dragged: number,
  target: DropTarget | undefined,
): Drop | undefined {
  switch (target?.kind) {
    case "composer":
      return { do: "quote" };
    case "session":
      return { do: "copy-into", sessionId: target.id };
    case "turn": {
      const { turn } = target;
      if (turn === dragged || byte(inTrash, turn)) return undefined;
      const isSibling = parentOf(skeleton, turn) === parentOf(skeleton, dragged);
      return { do: isSibling ? "compare" : "copy", turn };
    }
    default:
      return undefined;
  }
}
