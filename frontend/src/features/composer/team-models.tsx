import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { PopoverCard } from "@/components/overlay/popover";
import { AuthorMark } from "@/components/session/author-mark";
import type { TeamInfo } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { isScripted, refOf } from "@/lib/session/choice";
import { strategyWords } from "./team/strategy-words";
import type { Composing } from "./use-composer";

interface TeamModelsProps {
  composer: Composing;
  team: TeamInfo;
}

/** The agents of the team and the models that they use. */
export function TeamModels({ composer, team }: TeamModelsProps) {
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          className="inline-flex h-7 min-w-12 items-center gap-1 rounded border border-border bg-surface px-2.5 whitespace-nowrap hover:bg-sunken data-[state=open]:bg-sunken"
        >
          <span className="truncate">{t("Agents and models")}</span>
          <ChevronDown size={12} className="shrink-0 text-text-3" aria-hidden="true" />
        </button>
      </Popover.Trigger>
      <PopoverCard
        side="top"
        align="start"
        label={t("Agents and models")}
        className="max-h-[60vh] w-[min(440px,calc(100vw-32px))] overflow-auto p-4"
      >
        <p className="mb-2 text-sm text-text-3">
          {[team.description, strategyWords(team.strategy)].filter(Boolean).join(" · ")}
        </p>
        {team.agents.map((agent, at) => (
          <AgentLine key={agent.name} composer={composer} team={team} at={at} />
        ))}
        <p className="mt-2 text-sm text-text-3">
          {t("Begin a message with @ and a name to speak to one agent.")}
        </p>
      </PopoverCard>
    </Popover.Root>
  );
}

function AgentLine({ composer, team, at }: TeamModelsProps & { at: number }) {
  const { choice, changeChoice, options, running } = composer;
  const agent = team.agents[at];
  if (!agent) return null;
  const { name, description, model } = agent;
  const own = model || choice.model || options.data?.model || "";
  const chosen = choice.agentModels[name] ?? "";
  const models = (options.data?.models ?? []).map(refOf).filter((ref) => ref !== own);
  const choose = (ref: string) => {
    const { [name]: _, ...others } = choice.agentModels;
    changeChoice({ agentModels: ref === "" ? others : { ...others, [name]: ref } });
  };
  return (
    <div className="flex min-h-10 items-center gap-3 border-t border-border py-1.5">
      <span className="min-w-0 flex-1">
        <AuthorMark name={name} authors={team.agents.map((one) => one.name)} />
        <span className="block truncate text-sm text-text-3" title={description}>
          {description}
        </span>
      </span>
      <select
        aria-label={t("Model of {{name}}", { name })}
        className="h-7 w-44 rounded border border-border-strong bg-surface px-1.5 disabled:opacity-60"
        disabled={running}
        value={chosen}
        onChange={({ target }) => choose(target.value)}
      >
        <option value="">{isScripted(own) ? baseName(own) : own}</option>
        {models.map((ref) => (
          <option key={ref} value={ref}>
            {ref}
          </option>
        ))}
      </select>
    </div>
  );
}
