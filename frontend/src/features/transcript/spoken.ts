import { currentDraft, type Live } from "@/lib/live";
import { lastLine } from "./live-groups";

/** What a screen reader is told of a run: each paragraph when it is whole, and what is waited for. */
export function spokenOf(live: Live | undefined): string {
  if (!live) return "";
  if (live.questions.length > 0) return "The run waits for you";
  if (!live.running) return "The run has ended";
  const blocks = currentDraft(live)?.blocks ?? [];
  const whole = blocks.findLast((block, at) => block.type === "prose" && at < blocks.length - 1);
  return whole ? lastLine(whole.html) : "";
}
