import { useQuery } from "@tanstack/react-query";
import { Kbd } from "@/components/text/kbd";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { keyOf } from "@/lib/keys/commands";
import type { PathTurns } from "../path/path-turns";

interface StickyPromptProps {
  sessionId: string;
  turns: PathTurns;
  /** The turn that is read. */
  place: number;
  onGo: (place: number) => void;
}

/** The prompt of the turn that is read, in a line that stays while its messages scroll. */
export function StickyPrompt({ sessionId, turns, place, onGo }: StickyPromptProps) {
  const number = turns.numbers[place];
  // A turn that begins with a fork answers the prompt of the turn before.
  const before = turns.numbers[place - 1];
  const asked = [number, before].filter((one) => one !== undefined);
  const { data } = useQuery({
    queryKey: [...keys.tree(sessionId), "prompts", ...asked],
    queryFn: () => api.getTurns(sessionId, asked),
    enabled: asked.length > 0,
    placeholderData: (old) => old,
  });
  const own = data?.find(({ node }) => node === number);
  const prompt = own && own.role !== "user" ? data?.find(({ node }) => node === before) : own;
  if (turns.length === 0) return null;
  return (
    <div className="flex h-8 shrink-0 items-center border-b border-border bg-bg px-6 text-text-2">
      <div className="measure mx-auto flex w-full min-w-0 items-center gap-2.5">
        <span className="shrink-0 font-semibold text-you">{t("You")}</span>
        <button
          type="button"
          dir="auto"
          title={prompt?.preview}
          className="min-w-0 flex-1 truncate text-start hover:text-text hover:underline"
          onClick={() => onGo(prompt === own ? place : place - 1)}
        >
          {prompt?.preview || "…"}
        </button>
        <span className="shrink-0 text-sm text-text-3">
          {t("prompt {{number}} of {{total}}", { number: place + 1, total: turns.length })}
        </span>
        <Kbd chord={keyOf("previous-prompt")} />
        <Kbd chord={keyOf("next-prompt")} />
      </div>
    </div>
  );
}
