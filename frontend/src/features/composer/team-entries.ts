import { toastDone, toastError } from "@/components/feedback/toast";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { api, type TeamInfo } from "@/lib/api/api";
import { plural, t } from "@/lib/i18n/i18n";
import { noTeam } from "@/lib/session/choice";
import { strategyWords } from "./team/strategy-words";
import type { Composing } from "./use-composer";

/**
 * The teams that the user can choose, as entries of the menu of agents: the user's, and those of the workspace. Those of a workspace that is
 * not trusted are disabled. Without any, the menu explains what a team is.
 */
export function teamEntries(composer: Composing): MenuEntry[] {
  const { options, settled, choice, changeChoice } = composer;
  const { teams = [], trust } = options.data ?? {};
  const current = settled.team;
  const isOwn = current !== undefined && choice.team === "";
  const isFile = current !== undefined && !isOwn && !teams.some(({ ref }) => ref === choice.team);
  const isTrusted = trust?.listed || trust?.answer === "yes" || trust?.answer === "once";
  const untrusted = isTrusted ? [] : (trust?.brings ?? []).filter(({ kind }) => kind === "team");
  const entries: MenuEntry[] = [
    ...(isOwn ? [entryOf(current, true)] : []),
    ...teams.map((team) =>
      entryOf(team, team.ref === choice.team, () =>
        changeChoice({ ...noTeam, team: team.ref, agent: "", mode: "" }),
      ),
    ),
    ...(isFile ? [entryOf(current, true)] : []),
    ...untrusted.map(({ name }) => ({
      title: name,
      detail: t("Of this workspace: trust the workspace to use it"),
      disabled: true,
    })),
  ];
  const isEmpty = entries.length === 0;
  return [
    { title: t("Team"), heading: true },
    ...entries,
    ...(isEmpty ? [] : ["separator" as const]),
    {
      title: t("New team from an example…"),
      detail: isEmpty ? t("Several agents on one task: a writer and a critic") : undefined,
      onSelect: () => void createTeam(composer),
    },
    { title: t("Choose a team file…"), onSelect: () => void chooseTeamFile(composer) },
  ];
}

/** Writes an example of a team, chooses it, and offers its file to be changed. */
async function createTeam(composer: Composing): Promise<void> {
  const { sessionId, choice, changeChoice, options } = composer;
  try {
    const { ref, name } = await api.createTeam(sessionId, choice.workspace);
    await options.refetch();
    changeChoice({ ...noTeam, team: ref, agent: "", mode: "" });
    toastDone(t("Created the team {{name}}", { name }), {
      label: t("Show file"),
      onClick: () => {
        api.revealTeams().catch((error) => toastError(t("Could not open the folder"), error));
      },
    });
  } catch (error) {
    toastError(t("Could not create the team"), error);
  }
}

function entryOf(team: TeamInfo, checked: boolean, onSelect?: () => void): MenuEntry {
  const { name, description, problem, agents, strategy } = team;
  const size = plural(agents.length, "{{count}} agent", "{{count}} agents");
  return {
    title: name,
    detail: problem || [description, size, strategyWords(strategy)].filter(Boolean).join(" · "),
    disabled: problem !== "",
    checked,
    onSelect,
  };
}

/** Lets the user choose the file of a team. */
async function chooseTeamFile(composer: Composing): Promise<void> {
  const { sessionId, choice, changeChoice } = composer;
  try {
    const { ref, problem } = await api.chooseTeam(sessionId, choice.workspace);
    if (ref === "") return;
    if (problem !== "") return toastError(t("Could not use the team"), problem);
    changeChoice({ ...noTeam, team: ref, agent: "", mode: "" });
  } catch (error) {
    toastError(t("Could not choose the file"), error);
  }
}
