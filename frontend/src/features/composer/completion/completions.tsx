import type { KeyboardEvent } from "react";
import { AuthorMark } from "@/components/session/author-mark";
import type { ComposerOptions, TeamInfo } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { NameList } from "./name-list";
import { useCompletion } from "./use-completion";

interface Completing {
  text: string;
  setText: (text: string) => void;
  team: TeamInfo["agents"];
  commands: ComposerOptions["commands"];
}

/** Completes the names of the team's agents and of the user's commands. */
export function useCompletions({ text, setText, team, commands }: Completing) {
  const agents = useCompletion(
    text,
    setText,
    "@",
    team.map(({ name }) => name),
  );
  const own = useCompletion(
    text,
    setText,
    "/",
    commands.map(({ name }) => name),
  );
  const { found, id, active, optionId } = agents.found.length > 0 ? agents : own;
  return {
    agents,
    own,
    team,
    commands,
    /** Reports whether the key was for a list of names. */
    onKeyDown: (event: KeyboardEvent) => agents.onKeyDown(event) || own.onKeyDown(event),
    /** What assistive technology needs to know of the names that complete the text. */
    fieldProps:
      found.length === 0
        ? {}
        : ({
            "aria-autocomplete": "list",
            "aria-controls": id,
            "aria-activedescendant": optionId(active),
          } as const),
  };
}

/** The list of the names that complete what is typed. */
export function Completions({ agents, own, team, commands }: ReturnType<typeof useCompletions>) {
  const names = team.map(({ name }) => name);
  return (
    <>
      <NameList completion={agents} label={t("Agents")}>
        {(name) => (
          <>
            <AuthorMark name={name} authors={names} className="shrink-0" />
            <Described text={team.find((one) => one.name === name)?.description} />
          </>
        )}
      </NameList>
      <NameList completion={own} label={t("Commands")}>
        {(name) => {
          const command = commands.find((one) => one.name === name);
          return (
            <>
              <span className="shrink-0">
                /{name} <span className="text-text-3">{command?.takes}</span>
              </span>
              <Described text={command?.description} />
            </>
          );
        }}
      </NameList>
    </>
  );
}

function Described({ text = "" }: { text: string | undefined }) {
  return <span className="min-w-0 truncate text-sm text-text-3">{text}</span>;
}
