import { useEffect, useState } from "react";
import type { Session } from "@/lib/api";
import { type CommandName, runCommand, useCommand, useCommands } from "@/lib/commands";
import { useCutting } from "@/lib/scion";

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
  "show-outline",
  "show-map",
];
const withTrash: readonly CommandName[] = ["show-tree-trash", "restore-turns", "empty-tree-trash"];

interface ClosedTreeProps {
  session: Session;
  isOpen: boolean;
  /** Opens the pane of the tree. */
  onOpen: () => void;
}

/** Offers what the tree can do while its pane is closed: that opens it, and is done as soon as the tree can do it. */
export function ClosedTree({ session, isOpen, onOpen }: ClosedTreeProps) {
  const [pending, setPending] = useState<CommandName>();
  const cutting = useCutting();
  const canRun = useCommands().some(({ name, enabled }) => name === pending && enabled);
  useEffect(() => {
    // What stood in for the tree may be all that could, a moment ago.
    if (pending && isOpen && canRun && runCommand(pending)) setPending(undefined);
  }, [pending, isOpen, canRun]);
  // Who does something else meanwhile is not waiting for it.
  useEffect(() => {
    if (!pending) return;
    const forget = () => setPending(undefined);
    const signal = new AbortController();
    for (const name of ["keydown", "pointerdown"])
      window.addEventListener(name, forget, { capture: true, signal: signal.signal });
    return () => signal.abort();
  }, [pending]);
  if (isOpen) return null;
  const names = [
    ...always,
    ...(session.hiddenCount ? withTrash : []),
    ...(cutting ? (["paste-graft"] as const) : []),
  ];
  return names.map((name) => (
    <StandIn
      key={name}
      name={name}
      onRun={() => {
        setPending(name);
        onOpen();
      }}
    />
  ));
}

function StandIn({ name, onRun }: { name: CommandName; onRun: () => void }) {
  useCommand(name, onRun);
  return null;
}
