// The tools that sessions come from, and the words for the state of a session.

import { type Message, msg, translate } from "@/lib/i18n/i18n";

const sources: Record<string, { mark: string; name: string }> = {
  coppice: { mark: "Co", name: "Coppice" },
  claude_code: { mark: "CC", name: "Claude Code" },
  codex: { mark: "Cx", name: "Codex" },
  gemini_cli: { mark: "Ge", name: "Gemini CLI" },
  opencode: { mark: "OC", name: "OpenCode" },
  pi: { mark: "pi", name: "pi" },
  chatgpt: { mark: "GP", name: "ChatGPT" },
  claude_ai: { mark: "Cl", name: "Claude.ai" },
  openassistant: { mark: "OA", name: "OpenAssistant" },
  architect: { mark: "Ar", name: "Architect" },
  agent_base: { mark: "AB", name: "Agent Base" },
  agent_harness: { mark: "AH", name: "Agent Harness" },
  fuseraft: { mark: "Fu", name: "Fuseraft" },
  agentzero: { mark: "A0", name: "AgentZero" },
};

/** The tool's full name: "Claude Code". */
export function sourceName(source: string): string {
  return sources[source]?.name ?? source;
}

/** The tool's two letters: "CC". */
export function sourceMark(source: string): string {
  return sources[source]?.mark ?? source.slice(0, 2);
}

const statusWords: Record<string, Message> = {
  idle: msg("idle"),
  running: msg("running"),
  success: msg("done"),
  partial: msg("partial"),
  failed: msg("failed"),
  interrupted: msg("interrupted"),
  hibernated: msg("hibernated"),
};

/** The state of a session, in a word. */
export function statusWord(status: string): string {
  const word = statusWords[status];
  return word ? translate(word) : status;
}
