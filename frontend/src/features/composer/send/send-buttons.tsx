import { CornerDownLeft, Square } from "lucide-react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";

interface SendButtonsProps {
  isNew: boolean;
  running: boolean;
  stopping: boolean;
  starting: boolean;
  /** The field is empty. */
  empty: boolean;
  /** Why nothing can be sent; empty: sending is possible. */
  cannot: string;
  onSend: () => void;
  onStop: () => void;
}

/** Send; during a run Stop, and Queue if the field has text. */
export function SendButtons(props: SendButtonsProps) {
  const { isNew, running, stopping, starting, empty, cannot, onSend, onStop } = props;
  const word = running ? "Queue" : isNew ? "Start" : "Send";
  return (
    <>
      {running && (
        <Tooltip
          text="Stop the run and keep what is finished"
          keys={empty ? "Escape" : "Mod+."}
          side="top"
        >
          <Button disabled={stopping} onClick={onStop}>
            <Square size={12} aria-hidden="true" className="fill-current" />
            {stopping ? "Stopping…" : "Stop"}
          </Button>
        </Tooltip>
      )}
      {!(running && empty) && (
        <Tooltip text={cannot || undefined} side="top">
          <Button
            variant="primary"
            // Not disabled: its tooltip explains why it does nothing.
            aria-disabled={cannot !== "" || starting}
            className="aria-disabled:opacity-50"
            onClick={onSend}
          >
            {starting ? "Starting…" : word}
            {!starting && <CornerDownLeft size={14} aria-hidden="true" />}
          </Button>
        </Tooltip>
      )}
    </>
  );
}
