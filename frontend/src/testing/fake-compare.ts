// Two branches of the fake's sessions side by side: turns in the order they come, as Go does it where no words are the same.

import type { Comparison, MessageView, Side, TurnRange } from "@/lib/api/api";
import type { FakeSession } from "./fake-session";

/** Sets the paths to two messages side by side, from where they part. */
export function compareFake(
  fake: FakeSession,
  leftUid: string,
  rightUid: string,
  from: number,
  limit: number,
): Comparison {
  const [left, right] = [leftUid, rightUid].map((uid) => fake.window(uid, 0, 0).messages);
  if (!left || !right) throw new Error("there is nothing to compare");
  let shared = 0;
  while (left[shared] && left[shared]?.uid === right[shared]?.uid) shared++;
  const ranges = [left, right].map((path) => rangesOf(path.slice(shared)));
  const [lefts = [], rights = []] = ranges;
  const rowCount = Math.max(lefts.length, rights.length);
  const rows = Array.from({ length: rowCount }, (_, at) => ({
    left: lefts[at] ?? nothing,
    right: rights[at] ?? nothing,
  }));
  const ancestor = left[shared - 1];
  return {
    sessionId: fake.session.id,
    shared,
    sharedTurns: rangesOf(left.slice(0, shared)).length,
    ancestorUid: ancestor?.uid ?? "",
    ancestorTurn: ancestor?.turn ?? -1,
    left: sideOf(left, shared, lefts.length),
    right: sideOf(right, shared, rights.length),
    rowCount,
    from,
    rows: rows.slice(from, from + limit),
  };
}

const nothing: TurnRange = { turn: 0, from: 0, messages: 0, label: "", role: "", preview: "" };

function rangesOf(messages: readonly MessageView[]): TurnRange[] {
  const ranges: TurnRange[] = [];
  for (const { turn, depth, label, role, blocks } of messages) {
    const last = ranges.at(-1);
    if (last?.turn === turn) last.messages++;
    else
      ranges.push({
        turn,
        from: depth,
        messages: 1,
        label,
        role,
        preview: blocks[0]?.text ?? "",
      });
  }
  return ranges;
}

function sideOf(path: readonly MessageView[], shared: number, turns: number): Side {
  const own = path.slice(shared);
  const leaf = path.at(-1);
  const sum = (of: (message: MessageView) => number) => own.reduce((n, one) => n + of(one), 0);
  return {
    leafUid: leaf?.uid ?? "",
    turn: leaf?.turn ?? 0,
    branch: leaf?.branch ?? 0,
    length: path.length,
    messages: own.length,
    turns,
    steps: sum(({ role }) => (role === "assistant" ? 1 : 0)),
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costNanoUsd: sum(({ costNanoUsd }) => costNanoUsd ?? 0),
    unpriced: 0,
    models: [...new Set(own.map(({ model }) => model).filter(Boolean))],
    beganAtMs: own[0]?.createdAtMs ?? 0,
    endedAtMs: own.at(-1)?.createdAtMs ?? 0,
  };
}
