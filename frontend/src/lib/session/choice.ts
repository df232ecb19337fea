// The user's choices for the runs of a session: the composer changes them, everything that starts a run uses them.

import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import {
  type AgentInfo,
  api,
  type ComposerOptions,
  type ModelInfo,
  type RunRequest,
  type TeamInfo,
} from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { painted } from "@/lib/browser/after-paint";
import { useWindowState } from "@/lib/store/window-state";

/** Empty and 0: the session's previous value, otherwise the configured one. */
export interface Choice {
  model: string;
  agent: string;
  /** A team instead of an agent: a name or a file. */
  team: string;
  /** The models of agents of a team, by name, instead of those that they have. */
  agentModels: Readonly<Record<string, string>>;
  /** Changes of the team, as they are typed: "/skip critic". */
  teamChanges: readonly string[];
  mode: string;
  effort: string;
  workspace: string;
  /** Dollars as typed. */
  budgetUsd: string;
  maxSteps: number;
  /** Wait for the user after each answer. */
  review: boolean;
}

export const noChoice: Choice = {
  model: "",
  agent: "",
  team: "",
  agentModels: {},
  teamChanges: [],
  mode: "",
  effort: "",
  workspace: "",
  budgetUsd: "",
  maxSteps: 0,
  review: false,
};

/** What a session's recorded team replaces. */
export const noTeam = { team: "", agentModels: {}, teamChanges: [] } satisfies Partial<Choice>;

type Choices = Record<string, Partial<Choice>>;
const none: Choices = {};
const kept = 200;

/** Returns the choice for a session, stored between two starts, and a function to change it; an empty id means new sessions. */
export function useChoice(sessionId: string): [Choice, (part: Partial<Choice>) => void] {
  const [choices, setChoices] = useWindowState("choices", none);
  const change = useCallback(
    (part: Partial<Choice>) =>
      setChoices((now) => {
        const { [sessionId]: before, ...others } = now;
        const next = { ...others, [sessionId]: { ...before, ...part } };
        return Object.fromEntries(Object.entries(next).slice(-kept));
      }),
    [sessionId, setChoices],
  );
  return [readChoice(choices[sessionId]), change];
}

/** The stored value may be of another version. */
export function readChoice(kept: unknown): Choice {
  if (typeof kept !== "object" || kept === null) return noChoice;
  const read: Record<string, unknown> = { ...noChoice };
  for (const [name, value] of Object.entries(kept))
    if (value !== null && typeof value === typeof read[name]) read[name] = value;
  return read as unknown as Choice;
}

/** Returns a run of a session with these choices; without a prompt it continues where the session stopped. */
export function requestOf(sessionId: string, choice: Choice): RunRequest {
  return {
    sessionId,
    fromUid: "",
    root: false,
    text: "",
    images: [],
    cites: [],
    model: choice.model,
    agent: choice.agent,
    team: choice.team,
    agentModels: { ...choice.agentModels },
    teamChanges: [...choice.teamChanges],
    mode: choice.mode,
    effort: choice.effort,
    workspace: choice.workspace,
    budgetUsd: choice.budgetUsd,
    maxSteps: choice.maxSteps,
    maxTokens: 0,
    timeoutMs: 0,
    baseUrl: "",
    confirmed: [],
    name: "",
    takeOver: false,
    compaction: "",
    review: choice.review,
    summary: false,
    aside: false,
  };
}

/** A catalog is requested again when it is this old and the user opens it. */
export const catalogMs = 30_000;

/** Returns the options for a run: asks every provider, so it may take seconds. */
export function useComposerOptions(sessionId: string, workspace: string) {
  return useQuery({
    queryKey: keys.composer(sessionId, workspace),
    queryFn: () => painted().then(() => api.getComposerOptions(sessionId, workspace)),
    placeholderData: (before) => before,
  });
}

/** Returns the settings of a run: the choices, otherwise the options' defaults. */
export interface Settled {
  /** PROVIDER/MODEL; empty: none is reachable. */
  model: string;
  info: ModelInfo | undefined;
  agent: string;
  agentInfo: AgentInfo | undefined;
  /** Undefined: one agent works alone. */
  team: TeamInfo | undefined;
  mode: string;
  workspace: string;
}

/** Returns the team of a choice, else that of the session unless an agent is chosen; undefined: one agent works alone. */
export function useTeam(sessionId: string, choice: Choice): TeamInfo | undefined {
  const { team, workspace } = choice;
  // The session's own team does not depend on the workspace.
  const { data } = useQuery({
    queryKey: team === "" ? keys.team(sessionId, "") : keys.team(sessionId, workspace, team),
    queryFn: () => painted().then(() => api.getTeam(sessionId, workspace, team)),
    enabled: team !== "" || (sessionId !== "" && choice.agent === ""),
  });
  const isChosen = team !== "" || choice.agent === "";
  return isChosen && data && data.agents.length > 0 ? data : undefined;
}

/** Applies the choice to the defaults of the options. `team` is what `useTeam` returns. */
export function settle(
  choice: Choice,
  options: ComposerOptions | undefined,
  team?: TeamInfo,
): Settled {
  const agent = choice.agent || options?.agent || "";
  const agentInfo = options?.agents.find(({ name }) => name === agent);
  const other = choice.agent !== "" && choice.agent !== options?.agent;
  if (team) return settleTeam(team, choice, options);
  const model = choice.model || (other && agentInfo?.model) || options?.model || "";
  return {
    team: undefined,
    model,
    info: options?.models.find((info) => refOf(info) === model),
    agent,
    agentInfo,
    mode: choice.mode || (other && agentInfo?.mode) || options?.mode || "",
    workspace: choice.workspace || options?.workspace || "",
  };
}

/** The models and the permissions of a team are those of its agents; what is chosen counts for the others. */
function settleTeam(team: TeamInfo, choice: Choice, options: ComposerOptions | undefined): Settled {
  const [first] = team.agents;
  const models = team.agents.map(
    ({ name, model }) => choice.agentModels[name] || model || choice.model || options?.model || "",
  );
  const model = models.includes("") ? "" : (models[0] ?? "");
  return {
    team,
    model,
    info: options?.models.find((info) => refOf(info) === model),
    agent: first?.name ?? "",
    agentInfo: undefined,
    mode: choice.mode,
    workspace: choice.workspace || options?.workspace || "",
  };
}

/** PROVIDER/MODEL */
export function refOf({ provider, id }: Pick<ModelInfo, "provider" | "id">): string {
  return `${provider}/${id}`;
}

/** It plays recorded answers: no model is called. */
export function isScripted(model: string): boolean {
  return model.startsWith("script/") || model.startsWith("replay/");
}

/** Moves the choices for a new session to the session that was created. */
export function useAdoptChoice(): (sessionId: string) => void {
  const [, setChoices] = useWindowState("choices", none);
  return useCallback(
    (sessionId: string) =>
      setChoices((now) => {
        const chosen = now[""];
        // The session has its team now, as it was recorded.
        return chosen ? { ...now, [sessionId]: { ...chosen, ...noTeam } } : now;
      }),
    [setChoices],
  );
}
