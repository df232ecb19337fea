import { CircleAlert, X } from "lucide-react";
import { Button } from "@/components/button";
import { ConfirmationCard } from "@/components/confirmation-card";
import { IconButton } from "@/components/icon-button";
import { runCommand } from "@/lib/commands";
import { atWindow } from "@/lib/hints";
import type { Starter } from "./use-starter";

/** What another model may help against. */
const modelCodes = ["auth", "not_found", "unavailable", "rate_limit", "overloaded"];

interface StartFailureProps {
  failure: NonNullable<Starter["failure"]>;
  onTakeOver: () => void;
  /** The user agrees to all that is asked. */
  onConfirm: () => void;
  onDismiss: () => void;
}

/** Why a run could not begin, and what to do. What was written is still in the field. */
export function StartFailure({ failure, onTakeOver, onConfirm, onDismiss }: StartFailureProps) {
  const { error, asked } = failure;
  if (asked.length > 0)
    return <ConfirmationCard asked={asked} onConfirm={onConfirm} onDismiss={onDismiss} />;
  // Nobody can see from here whether the other machine still works on it; a person may know.
  const elsewhere = error.code === "busy" && error.hint.includes("--take-over");
  const hint = elsewhere ? "If that machine is off, take the session over." : atWindow(error.hint);
  return (
    <div role="alert" className="mb-2 flex items-start gap-2 rounded-lg bg-sunken px-3 py-2">
      <CircleAlert size={16} className="mt-px shrink-0 text-error" aria-hidden="true" />
      <p className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">
        The run could not begin: {error.message}
        {hint && <span className="block text-text-2">{hint}</span>}
      </p>
      {elsewhere && <Button onClick={onTakeOver}>Take over</Button>}
      {error.code === "auth" && (
        <Button onClick={() => runCommand("model-keys")}>Model keys…</Button>
      )}
      {modelCodes.includes(error.code) && (
        <Button onClick={() => runCommand("choose-model")}>Another model…</Button>
      )}
      <IconButton icon={X} label="Dismiss" className="-mt-1 !size-6" onClick={onDismiss} />
    </div>
  );
}
