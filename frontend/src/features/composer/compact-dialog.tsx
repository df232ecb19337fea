import { type FormEvent, useId, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { api, type RunRequest } from "@/lib/api/api";
import { useCommand } from "@/lib/keys/commands";
import { refreshRun } from "@/lib/run/runs";
import type { Composing } from "./use-composer";

/** Lets the user replace the old part of the context by a summary. The messages stay in the session. */
export function CompactCommand({ composer }: { composer: Composing }) {
  const { sessionId, running, request } = composer;
  const [open, setOpen] = useState(false);
  useCommand("compact-context", () => setOpen(true), { enabled: sessionId !== "" && !running });
  const compact = (focus: string) => {
    setOpen(false);
    void compactContext({
      ...request(),
      ...{ text: "", images: [], cites: [], fromUid: "", root: false, focus },
    });
  };
  return open && <CompactDialog onCompact={compact} onClose={() => setOpen(false)} />;
}

interface CompactDialogProps {
  onCompact: (focus: string) => void;
  onClose: () => void;
}

function CompactDialog({ onCompact, onClose }: CompactDialogProps) {
  const form = useId();
  const [focus, setFocus] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCompact(focus.trim());
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Compact context"
      description="A summary replaces the earlier messages in what the model receives. The messages stay in the session."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form}>
            Compact
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <TextField
          label="Focus"
          text="What a summary by a model should keep, such as decisions and open questions. Optional."
          data-autofocus=""
          dir="auto"
          value={focus}
          onChange={({ target }) => setFocus(target.value)}
        />
      </form>
    </Dialog>
  );
}

async function compactContext(request: RunRequest): Promise<void> {
  try {
    const done = api.compactContext(request);
    refreshRun(request.sessionId);
    const notice = await done;
    toastDone(notice.charAt(0).toUpperCase() + notice.slice(1));
  } catch (error) {
    toastError("Could not compact the context", error);
  }
}
