import { toastError } from "@/components/feedback/toast";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { api, type TeamInfo } from "@/lib/api/api";
import { plural, t } from "@/lib/i18n/i18n";
import { noTeam } from "@/lib/session/choice";
import { strategyWords } from "./team/strategy-words";
import type { Composing } from "./use-composer";

/** The teams that the user can choose, as entries of the menu of agents. Those of a workspace that is not trusted are disabled. */
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
  return entries.length > 0 ? [{ title: t("Team"), heading: true }, ...entries] : [];
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
export async function chooseTeamFile(composer: Composing): Promise<void> {
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
