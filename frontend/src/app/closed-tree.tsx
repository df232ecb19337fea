import { StandIns } from "@/components/menu/stand-ins";
import type { Session } from "@/lib/api/api";
import type { CommandName } from "@/lib/keys/commands";
import { useCopiedTurn } from "@/lib/store/graft-source";

/** What the tree does with the turn on screen, or with all of it. */
const always: readonly CommandName[] = [
  "find-in-tree",
  "compare-turn",
  "label-turn",
  "bookmark",
  "set-main",
  "mark-turn",
  "mark-all",
  "trash-turns",
  "trash-alternatives",
  "keep-path",
  "copy-branch",
  "copy-path",
  "split",
  "copy-turn",
  "hoist",
  "expand-all",
  "collapse-all",
  "fold-others",
  "list-all",
  "list-prompts",
  "list-no-tools",
  "list-labelled",
  "turn-order",
  "show-outline",
  "show-map",
  "show-timeline",
  "show-agents",
  "show-checkpoints",
  "full-map",
  "name-checkpoint",
  "zoom-to-fit",
  "turn-map",
];
const withTrash: readonly CommandName[] = ["show-tree-trash", "restore-turns", "empty-tree-trash"];

interface ClosedTreeProps {
  session: Session;
  isOpen: boolean;
  /** Opens the pane of the tree. */
  onOpen: () => void;
}

/** Offers what the tree can do while its pane is closed, which opens it. */
export function ClosedTree({ session, isOpen, onOpen }: ClosedTreeProps) {
  const copied = useCopiedTurn();
  const names = [
    ...always,
    ...(session.hiddenCount ? withTrash : []),
    ...(copied ? (["paste-graft"] as const) : []),
  ];
  return <StandIns names={names} isShown={isOpen} onShow={onOpen} />;
}
