import { Eye, RotateCcw, Tag, X } from "lucide-react";
import type { Action } from "@/actions/action";
import type { Checkpoint } from "@/lib/api/api";

/** What the actions on checkpoints do; undefined is for the point that the session continues from. */
export interface CheckpointActions {
  view: (checkpoint: Checkpoint) => void;
  restore: (checkpoint: Checkpoint) => void;
  name: (checkpoint: Checkpoint | undefined) => void;
  remove: (checkpoint: Checkpoint) => void;
}

/** The checkpoint that an action acts on; undefined if none is selected. */
interface CheckpointTarget {
  checkpoint: Checkpoint | undefined;
}

type CheckpointAction = Action<CheckpointTarget>;

/** Returns what can be done with a checkpoint, in the order of its menu. */
export function checkpointMenu(on: CheckpointActions): (CheckpointAction | "separator")[] {
  const isSome = ({ checkpoint }: CheckpointTarget) => checkpoint !== undefined;
  return [
    {
      name: "view-checkpoint",
      icon: Eye,
      isEnabled: isSome,
      run: ({ checkpoint }) => checkpoint && on.view(checkpoint),
    },
    {
      name: "restore-checkpoint",
      icon: RotateCcw,
      isEnabled: isSome,
      run: ({ checkpoint }) => checkpoint && on.restore(checkpoint),
    },
    { name: "name-checkpoint", icon: Tag, run: ({ checkpoint }) => on.name(checkpoint) },
    "separator",
    {
      name: "remove-checkpoint",
      icon: X,
      isOffered: ({ checkpoint }) => !!checkpoint?.name,
      run: ({ checkpoint }) => checkpoint && on.remove(checkpoint),
    },
  ];
}
