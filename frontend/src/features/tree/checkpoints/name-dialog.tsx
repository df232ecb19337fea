import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import { type Checkpoint, toApiError } from "@/lib/api/api";
import { formatClock } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { nameCheckpoint } from "./use-checkpoints";

interface NameDialogProps {
  sessionId: string;
  /** The checkpoint whose message is named; undefined: where the session continues. */
  checkpoint: Checkpoint | undefined;
  onClose: () => void;
}

/** Asks for the name of a checkpoint. A name that is taken is reported here. */
export function NameDialog({ sessionId, checkpoint, onClose }: NameDialogProps) {
  const client = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const form = useId();
  const [problem, setProblem] = useState("");
  async function save(event: FormEvent) {
    event.preventDefault();
    const name = field.current?.value.trim();
    if (!name) return setProblem(t("Enter a name"));
    try {
      await nameCheckpoint(client, sessionId, checkpoint, name);
      onClose();
    } catch (error) {
      const { message, hint } = toApiError(error);
      setProblem(hint ? `${message}. ${hint}` : message);
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Name checkpoint")}
      description={
        checkpoint
          ? t("The step at {{time}}, with its model, mode and limits.", {
              time: formatClock(checkpoint.createdAtMs),
            })
          : t("The point that the session continues from, with its model, mode and limits.")
      }
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t("Save")}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void save(event)}>
        <input
          ref={field}
          aria-label={t("Name")}
          aria-invalid={problem !== ""}
          {...(problem && { "aria-describedby": `${form}-problem` })}
          data-autofocus=""
          dir="auto"
          maxLength={100}
          onChange={() => setProblem("")}
          className="h-8 w-full rounded border border-border-strong bg-surface px-2"
        />
        <p id={`${form}-problem`} role="alert" className="mt-2 min-h-4 text-sm text-error">
          {problem}
        </p>
      </form>
    </Dialog>
  );
}
