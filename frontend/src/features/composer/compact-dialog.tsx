import { type FormEvent, useId, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { SelectField, TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { api, type RunRequest } from "@/lib/api/api";
import { type Message, msg, plural, t, translate } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { refreshRun } from "@/lib/run/runs";
import type { PathSize } from "@/lib/session/path-size";
import { tokenWords } from "./send/sends-line";
import type { Composing } from "./use-composer";

/** How a summary is made, as the user chooses it. */
const summaries: readonly { strategy: string; title: Message }[] = [
  { strategy: "", title: msg("As configured") },
  { strategy: "llm", title: msg("Written by a model") },
  { strategy: "code-aware", title: msg("Beginnings of messages, and all code") },
  { strategy: "simple", title: msg("Beginnings of prompts and answers") },
  { strategy: "role-budget", title: msg("The newest texts of prompts, answers and tools") },
  { strategy: "window", title: msg("None: leave the oldest turns out") },
];

interface CompactCommandProps {
  composer: Composing;
  /** What the model is sent now; undefined: unknown. */
  size: PathSize | undefined;
  /** Of the model; 0: unknown. */
  windowTokens: number;
}

/** Lets the user replace the old part of the context by a summary. The messages stay in the session. */
export function CompactCommand({ composer, size, windowTokens }: CompactCommandProps) {
  const { sessionId, running, request } = composer;
  const [open, setOpen] = useState(false);
  useCommand("compact-context", () => setOpen(true), { enabled: sessionId !== "" && !running });
  const compact = (choice: Choice) => {
    setOpen(false);
    const asked = request();
    void compactContext({
      ...asked,
      ...{ text: "", images: [], cites: [], fromUid: "", root: false },
      compaction: choice.strategy || asked.compaction,
      focus: choice.focus.trim(),
    });
  };
  return (
    open && (
      <CompactDialog
        now={size && sizeWords(size, windowTokens)}
        onCompact={compact}
        onClose={() => setOpen(false)}
      />
    )
  );
}

function sizeWords(size: PathSize, windowTokens: number): string {
  if (size.tokens === 0)
    return plural(
      size.length,
      "The model receives {{count}} message now.",
      "The model receives {{count}} messages now.",
    );
  return plural(
    size.length,
    "The model receives {{count}} message now, {{tokens}}.",
    "The model receives {{count}} messages now, {{tokens}}.",
    { tokens: tokenWords(size, windowTokens) },
  );
}

interface Choice {
  /** Empty: as configured. */
  strategy: string;
  focus: string;
}

interface CompactDialogProps {
  /** How much the model receives; undefined: unknown. */
  now: string | undefined;
  onCompact: (choice: Choice) => void;
  onClose: () => void;
}

function CompactDialog({ now, onCompact, onClose }: CompactDialogProps) {
  const form = useId();
  const [choice, setChoice] = useState<Choice>({ strategy: "", focus: "" });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onCompact(choice);
  };
  const isWritten = choice.strategy === "" || choice.strategy === "llm";
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("Compact context")}
      description={t(
        "A summary replaces the earlier messages in what the model receives. The messages stay in the session.",
      )}
      footer={
        <>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t("Compact")}
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={submit}>
        {now && <p className="text-sm text-text-2">{now}</p>}
        <SelectField
          label={t("Summary")}
          value={choice.strategy}
          onChange={({ target }) => setChoice({ ...choice, strategy: target.value })}
        >
          {summaries.map(({ strategy, title }) => (
            <option key={strategy} value={strategy}>
              {translate(title)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("Focus")}
          text={t(
            "What a summary by a model keeps, such as decisions and open questions. Optional.",
          )}
          data-autofocus=""
          dir="auto"
          disabled={!isWritten}
          value={choice.focus}
          onChange={({ target }) => setChoice({ ...choice, focus: target.value })}
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
    toastError(t("Could not compact the context"), error);
  }
}
