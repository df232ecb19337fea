import { expect, test } from "vitest";
import type { Session } from "@/lib/api/api";
import { mergeRun } from "@/lib/run/live";
import { noLive } from "@/testing/fake-run";
import { endingOf, raisedBudget } from "./ending";

const session = (status: string, stopReason = "") => ({ status, stopReason }) as Session;
const live = mergeRun(undefined, { ...noLive, sessionId: "s" });

test.each([
  ["idle", ""],
  ["success", "llm_done"],
  ["running", ""],
])("a session that is %s is not to be continued", (status, reason) => {
  expect(endingOf(session(status, reason), live)).toBeUndefined();
});

test("a run that continues needs no button, whatever its last end was", () => {
  expect(endingOf(session("interrupted"), { ...live, running: true })).toBeUndefined();
});

test("the reason is shown, and a limit can be raised", () => {
  expect(endingOf(session("partial", "budget_exceeded"), live)).toMatchObject({
    title: "Stopped at the budget",
    limit: "budget",
    action: "Continue",
  });
  expect(endingOf(session("interrupted", "user_interrupt"), live)?.title).toBe("Stopped by you");
  expect(endingOf(session("hibernated", "hibernated"), live)).toMatchObject({
    title: "Hibernated",
    action: "Continue",
  });
});

test("an error comes with its words and its hint, and is tried again", () => {
  const failed = { ...live, error: "the key was refused", hint: "check OPENAI_API_KEY" };
  expect(endingOf(session("failed", "llm_error"), failed)).toMatchObject({
    tone: "error",
    action: "Try again",
    reason: "the key was refused",
    hint: "check OPENAI_API_KEY",
  });
});

test.each([
  ["rate_limit", "Wait a moment"],
  ["overloaded", "Wait a moment"],
  ["unavailable", "Check that the server is running"],
  ["truncated_stream", "is kept above"],
])(
  "an error of the kind %s says what to do, and that another model may help",
  (errorCode, words) => {
    const failed = { ...live, error: "it went wrong", errorCode };
    const ending = endingOf(session("failed", "llm_error"), failed);
    expect(ending?.hint).toContain(words);
    expect(ending?.elsewhere).toBe(true);
  },
);

test("what is too long continues from a summary, or with a larger model", () => {
  const ending = endingOf(session("partial", "context_full"), live);
  expect(ending).toMatchObject({
    action: "Continue from a summary",
    shortens: true,
    elsewhere: true,
  });
  expect(ending?.hint).toContain("larger window");
});

test("an imported session has no reason of ours", () => {
  expect(endingOf(session("interrupted"), undefined)?.title).toBe("Interrupted");
});

test("twice the budget is offered", () => {
  const spent = { ...live, run: { ...live.run, budget: { costNanoUsd: 250_000_000 } } };
  expect(raisedBudget(spent)).toBe("0.5");
  expect(raisedBudget(live)).toBe("");
});
