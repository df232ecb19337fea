import { t } from "@/lib/i18n/i18n";
import { currentDraft, type Live } from "@/lib/run/live";
import { useLivePart } from "@/lib/run/runs";
import { lastLine } from "./live-groups";

/** Announces a run to a screen reader: each finished paragraph, and what the run waits for. */
export function Spoken({ sessionId }: { sessionId: string }) {
  const words = useLivePart(sessionId, wordsOf);
  return (
    <p className="sr-only" aria-live="polite">
      {words}
    </p>
  );
}

function wordsOf(live: Live | undefined): string {
  if (!live) return "";
  if (live.questions.length > 0) return t("The run waits for you");
  if (!live.running) return live.drafts.length > 1 ? t("The run has ended") : "";
  const blocks = currentDraft(live)?.blocks ?? [];
  const whole = blocks.findLast((block, at) => block.type === "prose" && at < blocks.length - 1);
  return whole ? lastLine(whole.html) : "";
}
