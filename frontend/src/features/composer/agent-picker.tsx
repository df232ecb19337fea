import { Chip } from "@/components/form/chip";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { agentDescription } from "@/lib/format/agents";
import { t } from "@/lib/i18n/i18n";
import { noTeam } from "@/lib/session/choice";
import { teamEntries } from "./team-entries";
import type { Composing } from "./use-composer";

/** The choice of the agent, or of a team of agents. */
export function AgentPicker({ composer }: { composer: Composing }) {
  const { options, settled, changeChoice } = composer;
  const { team } = settled;
  const agents = options.data?.agents ?? [];
  const entries: MenuEntry[] = [
    { title: t("Agent"), heading: true },
    ...agents.map(({ name, description, model }) => ({
      title: name,
      detail: [agentDescription(description), model].filter(Boolean).join(" · "),
      checked: team === undefined && name === settled.agent,
      // An agent brings its own mode and model.
      onSelect: () => changeChoice({ ...noTeam, agent: name, mode: "" }),
    })),
    ...teamEntries(composer),
  ];
  return (
    <Menu
      side="top"
      label={t("Agent")}
      entries={entries}
      trigger={
        <Chip
          menu
          aria-label={
            team
              ? t("Team: {{name}}", { name: team.name })
              : t("Agent: {{name}}", { name: settled.agent || t("none") })
          }
          className="!h-7 !rounded !border-border !bg-surface !px-2.5 !text-base !text-text hover:!bg-sunken"
        >
          {team ? team.name : settled.agent || t("agent")}
        </Chip>
      }
    />
  );
}
