import type { AgentTurn } from "@/lib/api/api";

/** What is in one row of the lanes: a prompt, or turns of agents that worked at the same time. */
export interface LaneRow {
  prompt: AgentTurn | undefined;
  turns: AgentTurn[];
}

/** Arranges turns in rows, in their order. Turns of runs beside each other, below the same message, worked in parallel and share a row. */
export function laneRows(turns: readonly AgentTurn[]): LaneRow[] {
  const rows: LaneRow[] = [];
  for (const turn of turns) {
    const last = rows.at(-1);
    if (turn.agent === "") rows.push({ prompt: turn, turns: [] });
    else if (last && !last.prompt && isBeside(last.turns, turn)) last.turns.push(turn);
    else rows.push({ prompt: undefined, turns: [turn] });
  }
  return rows;
}

function isBeside(row: readonly AgentTurn[], turn: AgentTurn): boolean {
  return row.every(
    (one) =>
      one.aside &&
      turn.aside &&
      one.parentUid === turn.parentUid &&
      one.branch !== turn.branch &&
      one.agent !== turn.agent,
  );
}

/** What an agent did in all. */
export interface LaneTotals {
  turns: number;
  tokens: number;
  /** Undefined: no cost is known. */
  costNanoUsd: number | undefined;
}

/** Adds up the turns of each agent. */
export function laneTotals(turns: readonly AgentTurn[]): Map<string, LaneTotals> {
  const totals = new Map<string, LaneTotals>();
  for (const { agent, tokens, costNanoUsd } of turns) {
    if (agent === "") continue;
    const sum = totals.get(agent) ?? { turns: 0, tokens: 0, costNanoUsd: undefined };
    totals.set(agent, {
      turns: sum.turns + 1,
      tokens: sum.tokens + tokens,
      costNanoUsd:
        typeof costNanoUsd === "number" ? (sum.costNanoUsd ?? 0) + costNanoUsd : sum.costNanoUsd,
    });
  }
  return totals;
}
