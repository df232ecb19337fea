import { CornerDownLeft, Square } from "lucide-react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";
import { t } from "@/lib/i18n/i18n";

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
  const word = running ? t("Queue") : isNew ? t("Start") : t("Send");
  return (
    <>
      {running && (
        <Tooltip
          text={t("Stop the run and keep what is finished")}
          keys={empty ? "Escape" : "Mod+."}
          side="top"
        >
          <Button disabled={stopping} onClick={onStop}>
            <Square size={12} aria-hidden="true" className="fill-current" />
            {stopping ? t("Stopping…") : t("Stop")}
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
            {starting ? t("Starting…") : word}
            {!starting && <CornerDownLeft size={14} aria-hidden="true" />}
          </Button>
        </Tooltip>
      )}
    </>
  );
}
