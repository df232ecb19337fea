// What to say of a session that has stopped before its end, and how it goes on.

import type { Live } from "@/lib/live";

/** A session that can be continued. */
export interface Ending {
  title: string;
  /** What went wrong, where something did. */
  reason: string;
  hint: string;
  tone: "error" | "warn" | "plain";
  /** The word on the button. */
  action: string;
  /** A limit that is to be raised before it goes on. */
  limit?: "budget" | "steps";
  /** Another model may help. */
  elsewhere?: boolean;
  /** It goes on from a summary of what was said: the whole is too long. */
  shortens?: boolean;
}

const reasons: Record<string, Omit<Ending, "reason" | "hint">> = {
  max_steps: {
    title: "Stopped at its limit of steps",
    tone: "plain",
    action: "Continue",
    limit: "steps",
  },
  budget_exceeded: {
    title: "Stopped at its budget",
    tone: "plain",
    action: "Continue",
    limit: "budget",
  },
  context_full: {
    title: "The model's context is full",
    tone: "warn",
    action: "Continue from a summary",
    elsewhere: true,
    shortens: true,
  },
  timeout: { title: "Stopped when its time was up", tone: "plain", action: "Continue" },
  user_interrupt: { title: "Stopped by you", tone: "plain", action: "Continue" },
  terminated: { title: "The program ended before the run did", tone: "plain", action: "Continue" },
  hitl_quit: { title: "Stopped by you after an answer", tone: "plain", action: "Continue" },
  doom_loop: {
    title: "Stopped: the model repeated itself",
    tone: "warn",
    action: "Continue",
  },
  llm_error: { title: "The run failed", tone: "error", action: "Try again", elsewhere: true },
};

/** What to do, where the error itself does not say it. */
const hints: Record<string, string> = {
  rate_limit: "Wait a little before you try again, or go on with another model.",
  overloaded: "Wait a little before you try again, or go on with another model.",
  unavailable: "See that the server runs and can be reached, or go on with another model.",
  truncated_stream: "What had come of the answer is kept above; it is asked for anew.",
  timeout: "Try again, or go on with another model.",
};

const fullHint =
  "The conversation is longer than the model takes. A model with a larger window takes it whole.";

const statuses: Record<string, Omit<Ending, "reason" | "hint">> = {
  interrupted: { title: "Interrupted", tone: "plain", action: "Continue" },
  partial: { title: "Not finished", tone: "plain", action: "Continue" },
  failed: { title: "The run failed", tone: "error", action: "Try again", elsewhere: true },
};

/** How something stands that runs: a session, or one of several runs of it side by side. */
interface Standing {
  status: string;
  stopReason: string;
}

/** How what is not finished goes on; undefined where it runs, or is done. */
export function endingOf(standing: Standing, live: Live | undefined): Ending | undefined {
  if (live?.running) return undefined;
  const status = statuses[standing.status];
  if (!status) return undefined;
  const words = reasons[standing.stopReason] ?? status;
  const hint = live?.hint || hints[live?.errorCode ?? ""] || (words.shortens ? fullHint : "");
  return { ...words, reason: live?.error ?? "", hint };
}

/** Twice the budget that was used up, in dollars; empty where none is known. */
export function raisedBudget(live: Live | undefined): string {
  const nanoUsd = live?.run.budget.costNanoUsd ?? 0;
  return nanoUsd > 0 ? String(Number(((nanoUsd * 2) / 1e9).toFixed(4))) : "";
}
