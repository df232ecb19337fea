import { Chip } from "@/components/form/chip";
import { Menu } from "@/components/menu/menu";
import { t } from "@/lib/i18n/i18n";
import type { Composing } from "./use-composer";

/** The choice of the agent. */
export function AgentPicker({ composer }: { composer: Composing }) {
  const { options, settled, changeChoice } = composer;
  const agents = options.data?.agents ?? [];
  return (
    <Menu
      side="top"
      label={t("Agent")}
      entries={[
        { title: t("Agent"), heading: true },
        ...agents.map(({ name, description, model }) => ({
          title: name,
          detail: [description, model].filter(Boolean).join(" · "),
          checked: name === settled.agent,
          // An agent brings its own mode and model.
          onSelect: () => changeChoice({ agent: name, mode: "" }),
        })),
      ]}
      trigger={
        <Chip
          menu
          aria-label={t("Agent: {{name}}", { name: settled.agent || t("none") })}
          className="!h-7 !rounded !border-border !bg-surface !px-2.5 !text-base !text-text hover:!bg-sunken"
        >
          {settled.agent || t("agent")}
        </Chip>
      }
    />
  );
}
