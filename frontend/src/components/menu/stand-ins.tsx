import { useEffect, useState } from "react";
import { type CommandName, runCommand, useCommand, useCommands } from "@/lib/keys/commands";

interface StandInsProps {
  names: readonly CommandName[];
  /** The part of the window that provides the actions is mounted, and offers them itself as soon as it can. */
  isShown: boolean;
  /** Shows that part. */
  onShow: () => void;
}

/** Offers actions of a part of the window that is not shown: running one shows the part, and runs the action as soon as the part offers it. */
export function StandIns({ names, isShown, onShow }: StandInsProps) {
  const [pending, setPending] = useState<CommandName>();
  const canRun = useCommands().some(({ name, enabled }) => name === pending && enabled);
  useEffect(() => {
    // The stand-in may have been the only handler a moment ago.
    if (pending && isShown && canRun && runCommand(pending)) setPending(undefined);
  }, [pending, isShown, canRun]);
  // A user who does something else meanwhile is not waiting for it.
  useEffect(() => {
    if (!pending) return;
    const forget = () => setPending(undefined);
    const signal = new AbortController();
    for (const name of ["keydown", "pointerdown"])
      window.addEventListener(name, forget, { capture: true, signal: signal.signal });
    return () => signal.abort();
  }, [pending]);
  if (isShown) return null;
  return names.map((name) => (
    <StandIn
      key={name}
      name={name}
      onRun={() => {
        setPending(name);
        onShow();
      }}
    />
  ));
}

function StandIn({ name, onRun }: { name: CommandName; onRun: () => void }) {
  useCommand(name, onRun);
  return null;
}
