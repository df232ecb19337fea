import { ShieldQuestion } from "lucide-react";
import { useId, useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { Rich } from "@/components/text/rich";
import { Shown } from "@/components/text/shown";
import { api, type WorkspaceTrust } from "@/lib/api/api";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";

interface TrustCardProps {
  trust: WorkspaceTrust;
  /** The answer is stored: the options for runs have changed. */
  onAnswered: () => void;
}

/** Whether the user must be asked. */
export function isOpen({ answer, listed, brings }: WorkspaceTrust): boolean {
  return !listed && answer === "" && brings.length > 0;
}

/** Asks whether a workspace is trusted and shows everything that it configures. Until the user answers, none of that is used. */
export function TrustCard({ trust, onAnswered }: TrustCardProps) {
  const [answering, setAnswering] = useState(false);
  const id = useId();
  const answer = async (word: string) => {
    setAnswering(true);
    try {
      await api.trustWorkspace(trust.workspace, trust.digest, word);
    } catch (error) {
      toastError(t("Could not store the answer"), error);
    } finally {
      setAnswering(false);
      onAnswered();
    }
  };
  return (
    <section
      aria-labelledby={id}
      className="mb-2 rounded-lg border border-warn bg-surface p-3"
      data-trust=""
    >
      <h3 id={id} className="flex items-start gap-2 font-semibold">
        <ShieldQuestion size={16} className="mt-px shrink-0 text-warn" aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <Rich
            text={t("Do you trust the workspace <workspace/>?")}
            parts={{ workspace: () => <Shown text={trust.workspace} /> }}
          />
        </span>
      </h3>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
        tabIndex={0}
        className="selectable mt-2 max-h-[min(320px,35vh)] overflow-auto rounded border border-border bg-sunken py-1"
      >
        {trust.brings.map(({ kind, name, detail, source }) => (
          <li
            key={`${kind} ${name} ${source}`}
            className="flex gap-2 px-3 py-0.5 [overflow-wrap:anywhere]"
          >
            <span className="w-24 shrink-0 text-text-3">{kindWords(kind)}</span>
            <span className="min-w-0 flex-1 font-mono text-base leading-5 whitespace-pre-wrap">
              <Shown text={detail === "" ? name : `${name}: ${detail}`} />
            </span>
            <span className="max-w-[35%] shrink-0 text-sm text-text-3">
              <Shown text={source} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-text-2">
        {trust.brings.length > 1
          ? t("None of these {{count}} is used until you trust the workspace.", {
              count: trust.brings.length,
            })
          : t("It is not used until you trust the workspace.")}{" "}
        {t("MCP servers run outside the sandbox of commands.")}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button disabled={answering} onClick={() => void answer("yes")}>
          {t("Trust")}
        </Button>
        <Button disabled={answering} onClick={() => void answer("once")}>
          {t("Trust until Coppice closes")}
        </Button>
        <span className="flex-1" />
        <Button disabled={answering} onClick={() => void answer("no")}>
          {t("Do not trust")}
        </Button>
      </div>
    </section>
  );
}

const kinds: Record<string, Message> = {
  setting: msg("Setting"),
  agent: msg("Agent"),
  team: msg("Team of agents"),
  command: msg("Command"),
  skill: msg("Skill"),
  server: msg("MCP server"),
  instructions: msg("Instructions"),
};

/** What a workspace brings, as the user calls it. */
function kindWords(kind: string): string {
  const words = kinds[kind];
  return words ? translate(words) : kind;
}
