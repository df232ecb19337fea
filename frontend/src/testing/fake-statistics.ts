import type {
  Session,
  Statistics,
  StatisticsCell,
  StatisticsGroup,
  StatisticsQuery,
} from "@/lib/api/api";

/** What Go would add up: each session is counted on the day it was last changed, in UTC. */
export function addUp(sessions: readonly Session[], query: StatisticsQuery): Statistics {
  const asked = sessions.filter(
    (one) =>
      one.deletedAtMs === 0 &&
      (query.sources.length === 0 || query.sources.includes(one.source)) &&
      (query.workspace === "" || query.workspace === one.workspacePath) &&
      (query.model === "" || query.model === one.model),
  );
  const inRange = asked.filter((one) => {
    const day = dayOf(one);
    return (query.since === "" || day >= query.since) && (query.until === "" || day <= query.until);
  });
  const cellsOf = (sessions: readonly Session[], key: (one: Session) => string) =>
    groupBy(sessions, (one) => `${dayOf(one)} ${key(one)}`).map(cellOf);
  const split = (one: Session) =>
    query.split === "source"
      ? one.source
      : query.split === "workspace"
        ? one.workspacePath
        : one.model;
  const [total = empty] = groupBy(inRange, () => "");
  return {
    zone: "UTC",
    total,
    toolCalls: inRange.length * 3,
    days: groupBy(inRange, dayOf),
    cells: cellsOf(inRange, split),
    models: groupBy(inRange, ({ model }) => model),
    agents: groupBy(inRange, ({ agent }) => agent),
    workspaces: groupBy(inRange, ({ workspacePath }) => workspacePath),
    sources: groupBy(inRange, ({ source }) => source),
    tools:
      inRange.length === 0
        ? []
        : [{ name: "read_file", calls: inRange.length * 3, sessions: inRange.length }],
    calendar: cellsOf(asked, () => ""),
    pending: 0,
  };
}

/** The sums of a day and a key; a cell has fewer fields than a group. */
function cellOf(group: StatisticsGroup): StatisticsCell {
  const { key, sessions, steps, unpriced, inputTokens, outputTokens, costNanoUsd } = group;
  const tokens = inputTokens + outputTokens;
  return {
    ...{ day: key.slice(0, 10), key: key.slice(11) },
    ...{ sessions, tokens, steps, unpriced, costNanoUsd, unestimated: unpriced },
  };
}

const dayOf = (one: Session) => new Date(one.updatedAtMs).toISOString().slice(0, 10);

const empty: StatisticsGroup = {
  key: "",
  sessions: 0,
  messages: 0,
  steps: 0,
  unmetered: 0,
  unpriced: 0,
  unestimated: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

function groupBy(sessions: readonly Session[], key: (one: Session) => string): StatisticsGroup[] {
  const groups = new Map<string, StatisticsGroup>();
  for (const one of sessions) {
    const group = groups.get(key(one)) ?? { ...empty, key: key(one) };
    groups.set(group.key, group);
    group.sessions++;
    group.messages += one.messageCount;
    group.steps += one.stepCount;
    group.inputTokens += one.inputTokens;
    group.outputTokens += one.outputTokens;
    group.cacheReadTokens += one.cacheReadTokens;
    if (one.inputTokens + one.outputTokens === 0) group.unmetered += one.stepCount;
    if (one.costNanoUsd === null || one.costNanoUsd === undefined) group.unpriced += one.stepCount;
    else group.costNanoUsd = (group.costNanoUsd ?? 0) + one.costNanoUsd;
  }
  return [...groups.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}
