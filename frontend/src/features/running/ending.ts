// The texts for a session that stopped before its end, and how it continues.

import { fromGo } from "@/lib/i18n/from-go";
import { type Message, msg, translate } from "@/lib/i18n/i18n";
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

/** The texts of an ending, in English. */
type Words = Omit<Ending, "reason" | "hint" | "title" | "action"> & {
  title: Message;
  action: Message;
};

const reasons: Record<string, Words> = {
  max_steps: {
    title: msg("Stopped at the step limit"),
    tone: "plain",
    action: msg("Continue"),
    limit: "steps",
  },
  budget_exceeded: {
    title: msg("Stopped at the budget"),
    tone: "plain",
    action: msg("Continue"),
    limit: "budget",
  },
  context_full: {
    title: msg("The model's context is full"),
    tone: "warn",
    action: msg("Continue from a summary"),
    elsewhere: true,
    shortens: true,
  },
  timeout: { title: msg("Stopped at the time limit"), tone: "plain", action: msg("Continue") },
  user_interrupt: { title: msg("Stopped by you"), tone: "plain", action: msg("Continue") },
  terminated: {
    title: msg("The program closed during the run"),
    tone: "plain",
    action: msg("Continue"),
  },
  hitl_quit: {
    title: msg("Stopped by you after an answer"),
    tone: "plain",
    action: msg("Continue"),
  },
  doom_loop: {
    title: msg("Stopped: the model repeated itself"),
    tone: "warn",
    action: msg("Continue"),
  },
  refused: {
    title: msg("Stopped: calls were refused because no user could approve them"),
    tone: "warn",
    action: msg("Continue"),
  },
  llm_error: {
    title: msg("The run failed"),
    tone: "error",
    action: msg("Try again"),
    elsewhere: true,
  },
};

/** What to do, where the error itself does not say it. */
const hints: Record<string, Message> = {
  rate_limit: msg("Wait a moment and try again, or continue with another model."),
  overloaded: msg("Wait a moment and try again, or continue with another model."),
  unavailable: msg(
    "Check that the server is running and reachable, or continue with another model.",
  ),
  truncated_stream: msg("The partial answer is kept above. Continuing asks for the answer again."),
  timeout: msg("Try again, or continue with another model."),
};

const fullHint = msg(
  "The conversation exceeds the model's context window. Continue from a summary, or choose a model with a larger window.",
);

const statuses: Record<string, Words> = {
  interrupted: { title: msg("Interrupted"), tone: "plain", action: msg("Continue") },
  partial: { title: msg("Not finished"), tone: "plain", action: msg("Continue") },
  failed: {
    title: msg("The run failed"),
    tone: "error",
    action: msg("Try again"),
    elsewhere: true,
  },
  hibernated: { title: msg("Hibernated"), tone: "plain", action: msg("Continue") },
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
  const known = hints[live?.errorCode ?? ""] ?? (words.shortens ? fullHint : undefined);
  return {
    ...words,
    title: translate(words.title),
    action: translate(words.action),
    reason: standing.stopReason === "terminated" ? "" : (live?.error ?? ""), // the title states it
    hint: fromGo(live?.hint ?? "") || (known ? translate(known) : ""),
  };
}

/** Twice the budget that was used up, in dollars; empty where none is known. */
export function raisedBudget(live: Live | undefined): string {
  const nanoUsd = live?.run.budget.costNanoUsd ?? 0;
  return nanoUsd > 0 ? String(Number(((nanoUsd * 2) / 1e9).toFixed(4))) : "";
}
