import clsx from "clsx";
import { GitBranch } from "lucide-react";
import type { Hit } from "@/lib/api/api";
import { formatAge, formatExact } from "@/lib/format/format";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { splitSnippet } from "./matching";

const roles: Record<string, { word: Message; look: string }> = {
  user: { word: msg("You"), look: "text-you" },
  assistant: { word: msg("Assistant"), look: "text-accent" },
  tool: { word: msg("Tool"), look: "text-tool" },
  system: { word: msg("System"), look: "text-text-2" },
};

const places: Record<string, Message> = {
  reasoning: msg("reasoning"),
  tool_call: msg("tool call"),
  tool_result: msg("tool result"),
  summary: msg("summary"),
};

/** A matching message: its author, its position, and the words around the match. */
export function HitLine({ hit }: { hit: Hit }) {
  const role = roles[hit.role];
  const place = places[hit.where];
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-2 text-sm text-text-3">
        <span title={`n${hit.turn}`} className={clsx("font-semibold", role?.look ?? "text-text-2")}>
          {role ? translate(role.word) : hit.role}
        </span>
        {place && <span>{translate(place)}</span>}
        {!hit.onPath && (
          <span className="inline-flex items-center gap-1">
            <GitBranch size={12} aria-hidden="true" />
            {t("on another branch")}
          </span>
        )}
        <span className="ms-auto" title={formatExact(hit.createdAtMs)}>
          {formatAge(hit.createdAtMs)}
        </span>
      </span>
      <span className="block truncate" dir="auto">
        {splitSnippet(hit).map(({ from, text, marked }) =>
          marked ? (
            <mark key={from} className="rounded-sm bg-mark text-text">
              {text}
            </mark>
          ) : (
            <span key={from}>{text}</span>
          ),
        )}
      </span>
    </span>
  );
}
