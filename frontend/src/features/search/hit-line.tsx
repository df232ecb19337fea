import clsx from "clsx";
import { GitBranch } from "lucide-react";
import type { Hit } from "@/lib/api/api";
import { formatAge, formatExact } from "@/lib/format/format";
import { splitSnippet } from "./matching";

const roles: Record<string, { word: string; look: string }> = {
  user: { word: "You", look: "text-you" },
  assistant: { word: "Assistant", look: "text-accent" },
  tool: { word: "Tool", look: "text-tool" },
  system: { word: "System", look: "text-text-2" },
};

const places: Record<string, string> = {
  reasoning: "reasoning",
  tool_call: "tool call",
  tool_result: "tool result",
  summary: "summary",
};

/** A matching message: its author, its position, and the words around the match. */
export function HitLine({ hit }: { hit: Hit }) {
  const role = roles[hit.role] ?? { word: hit.role, look: "text-text-2" };
  return (
    <span className="min-w-0 flex-1">
      <span className="flex items-center gap-2 text-sm text-text-3">
        <span className={clsx("font-semibold", role.look)}>{role.word}</span>
        {places[hit.where] && <span>{places[hit.where]}</span>}
        <span>n{hit.turn}</span>
        {!hit.onPath && (
          <span className="inline-flex items-center gap-1">
            <GitBranch size={12} aria-hidden="true" />
            on another branch
          </span>
        )}
        <span className="ml-auto" title={formatExact(hit.createdAtMs)}>
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
