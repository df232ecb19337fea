// The texts for a session that stopped before its end, and how it continues.

import type { Live } from "@/lib/run/live";

/** A session that can be continued. */
export interface Ending {
  title: string;
  /** What went wrong, where something did. */
  reason: string;
  hint: string;
  tone: "error" | "warn" | "plain";
  /** The word on the button. */
  action: string;
  /** A limit to raise before the run continues. */
  limit?: "budget" | "steps";
  /** Another model may help. */
  elsewhere?: boolean;
  /** The run continues from a summary, because the conversation is too long. */
  shortens?: boolean;
}

const reasons: Record<string, Omit<Ending, "reason" | "hint">> = {
  max_steps: {
    title: "Stopped at the step limit",
    tone: "plain",
    action: "Continue",
    limit: "steps",
  },
  budget_exceeded: {
    title: "Stopped at the budget",
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
  timeout: { title: "Stopped at the time limit", tone: "plain", action: "Continue" },
  user_interrupt: { title: "Stopped by you", tone: "plain", action: "Continue" },
  terminated: { title: "The program closed during the run", tone: "plain", action: "Continue" },
  hitl_quit: { title: "Stopped by you after an answer", tone: "plain", action: "Continue" },
  doom_loop: {
    title: "Stopped: the model repeated itself",
    tone: "warn",
    action: "Continue",
  },
  refused: {
    title: "Stopped: calls were refused because no user could approve them",
    tone: "warn",
    action: "Continue",
  },
  llm_error: { title: "The run failed", tone: "error", action: "Try again", elsewhere: true },
};

/** What to do, where the error itself does not say it. */
const hints: Record<string, string> = {
  rate_limit: "Wait a moment and try again, or continue with another model.",
  overloaded: "Wait a moment and try again, or continue with another model.",
  unavailable: "Check that the server is running and reachable, or continue with another model.",
  truncated_stream: "The partial answer is kept above. Continuing asks for the answer again.",
  timeout: "Try again, or continue with another model.",
};

const fullHint =
  "The conversation exceeds the model's context window. Continue from a summary, or choose a model with a larger window.";

const statuses: Record<string, Omit<Ending, "reason" | "hint">> = {
  interrupted: { title: "Interrupted", tone: "plain", action: "Continue" },
  partial: { title: "Not finished", tone: "plain", action: "Continue" },
  failed: { title: "The run failed", tone: "error", action: "Try again", elsewhere: true },
  hibernated: { title: "Hibernated", tone: "plain", action: "Continue" },
};

/** The state of a session, or of one of its parallel runs. */
interface Standing {
  status: string;
  stopReason: string;
}

/** Returns how an unfinished run continues; undefined if it is running or done. */
export function endingOf(standing: Standing, live: Live | undefined): Ending | undefined {
  if (live?.running) return undefined;
  const status = statuses[standing.status];
  if (!status) return undefined;
  const words = reasons[standing.stopReason] ?? status;
  const hint = live?.hint || hints[live?.errorCode ?? ""] || (words.shortens ? fullHint : "");
  const reason = standing.stopReason === "terminated" ? "" : (live?.error ?? ""); // the title states it
  return { ...words, reason, hint };
}

/** Twice the budget that was used up, in dollars; empty where none is known. */
export function raisedBudget(live: Live | undefined): string {
  const nanoUsd = live?.run.budget.costNanoUsd ?? 0;
  return nanoUsd > 0 ? String(Number(((nanoUsd * 2) / 1e9).toFixed(4))) : "";
}
