import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { Button } from "@/components/form/button";
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
  const joining = composer.choice.teamChanges
    .filter((change) => change.startsWith(adds))
    .map((change) => change.slice(adds.length));
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
        {joining.map((name) => (
          <p key={name} className="border-t border-border py-1.5 text-sm text-text-3">
            {t("{{name}} joins with the next run", { name })}
          </p>
        ))}
        <AddAgent composer={composer} team={team} />
        <p className="mt-2 text-sm text-text-3">
          {t("Begin a message with @ and a name to speak to one agent.")}
        </p>
      </PopoverCard>
    </Popover.Root>
  );
}

/** Begins the change that adds an agent. */
const adds = "/add ";

/** Changes the team: now if it works, else with the next run. */
function changeTeam(composer: Composing, change: string): void {
  const { running, queue, choice, changeChoice } = composer;
  if (running) queue(change);
  else changeChoice({ teamChanges: [...choice.teamChanges, change] });
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
    if (running && ref !== "") return changeTeam(composer, `/model ${name}=${ref}`);
    const { [name]: _, ...others } = choice.agentModels;
    changeChoice({ agentModels: ref === "" ? others : { ...others, [name]: ref } });
  };
  const last = choice.teamChanges.findLast(
    (change) => /^\/(un)?skip /.test(change) && change.endsWith(` ${name}`),
  );
  const skipped = last ? last.startsWith("/skip") : agent.skipped;
  return (
    <div className="flex min-h-10 items-center gap-2 border-t border-border py-1.5">
      <span className="min-w-0 flex-1">
        <AuthorMark
          name={name}
          authors={team.agents.map((one) => one.name)}
          className={skipped ? "text-text-3 line-through" : undefined}
        />
        <span className="block truncate text-sm text-text-3" title={description}>
          {skipped ? t("skipped: it has no turns") : description}
        </span>
      </span>
      <select
        aria-label={t("Model of {{name}}", { name })}
        className="h-7 w-40 rounded border border-border-strong bg-surface px-1.5"
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
      <Button
        variant="quiet"
        aria-label={skipped ? t("Unskip {{name}}", { name }) : t("Skip {{name}}", { name })}
        onClick={() => changeTeam(composer, `${skipped ? "/unskip" : "/skip"} ${name}`)}
      >
        {skipped ? t("Unskip") : t("Skip")}
      </Button>
    </div>
  );
}

/** Adds an agent of the configuration to the team. */
function AddAgent({ composer, team }: TeamModelsProps) {
  const others = (composer.options.data?.agents ?? []).filter(
    ({ name }) => !team.agents.some((one) => one.name === name),
  );
  if (others.length === 0) return null;
  return (
    <select
      aria-label={t("Add an agent to the team")}
      className="mt-1 h-7 w-full rounded border border-border-strong bg-surface px-1.5"
      value=""
      onChange={({ target }) => changeTeam(composer, adds + target.value)}
    >
      <option value="">{t("Add an agent…")}</option>
      {others.map(({ name }) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
