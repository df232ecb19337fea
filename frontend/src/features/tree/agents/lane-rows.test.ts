import { expect, test } from "vitest";
import type { AgentTurn } from "@/lib/api/api";
import { laneRows, laneTotals } from "./lane-rows";

function turn(
  agent: string,
  parentUid: string,
  branch: number,
  aside = false,
  costNanoUsd?: number,
): AgentTurn {
  const uid = `${agent}-${parentUid}-${branch}`;
  return {
    ...{ agent, parentUid, branch, turn: 0, firstUid: uid, lastUid: uid, text: agent, steps: 1 },
    ...{ aside, tokens: 10, startedAtMs: 1, ...(costNanoUsd !== undefined && { costNanoUsd }) },
  };
}

test("turns of runs beside each other share a row", () => {
  const rows = laneRows([
    turn("", "", 0),
    turn("user", "p", 0, true),
    turn("maintainer", "p", 1, true),
    turn("attacker", "p", 2, true),
    turn("judge", "p", 3),
    turn("", "j", 0),
    turn("judge", "q", 0),
    turn("judge", "q", 1, true),
  ]);
  expect(
    rows.map(({ prompt, turns }) => (prompt ? "prompt" : turns.map((one) => one.agent))),
  ).toEqual([
    "prompt",
    ["user", "maintainer", "attacker"],
    ["judge"],
    "prompt",
    ["judge"],
    ["judge"],
  ]);
});

test("the cost of an agent is unknown until one of its turns has one", () => {
  const totals = laneTotals([turn("a", "p", 0), turn("b", "p", 1), turn("a", "q", 0, false, 5)]);
  expect(totals.get("a")).toEqual({ turns: 2, tokens: 20, costNanoUsd: 5 });
  expect(totals.get("b")).toEqual({ turns: 1, tokens: 10, costNanoUsd: undefined });
});
