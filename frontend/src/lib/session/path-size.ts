// How much a model is sent when a session continues from the end of a path.

import { useQuery } from "@tanstack/react-query";
import { api, type MessageView } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** The size of a path as a model is sent it. */
export interface PathSize {
  /** Messages. */
  length: number;
  /** The number of its last turn; -1 if none exists. */
  turn: number;
  tokens: number;
  /** The tokens are counted by a provider, except for the last few messages; otherwise they are estimated. */
  counted: boolean;
}

/** Characters of English in a token, roughly. */
const charsPerToken = 4;
/** How many messages are searched for the last answer with a count. */
const lookedAt = 40;

/** The size of a path; undefined until it is known, and for a session without messages. */
export function usePathSize(sessionId: string, leafUid: string): PathSize | undefined {
  const { data } = useQuery({
    queryKey: [...keys.window(sessionId), "size", leafUid],
    queryFn: async () => {
      const { length } = await api.getWindow(sessionId, leafUid, 0, 1);
      const from = Math.max(0, length - lookedAt);
      const { messages } = await api.getWindow(sessionId, leafUid, from, lookedAt);
      const sent = length - coveredBy(messages, from);
      return { length: sent, turn: messages.at(-1)?.turn ?? -1, ...measure(messages, length) };
    },
    enabled: sessionId !== "" && leafUid !== "",
    placeholderData: (before) => before,
  });
  return leafUid === "" ? undefined : data;
}

/** How many messages of a path a compaction among the last ones replaces; from is the depth of the first of them. */
export function coveredBy(messages: readonly MessageView[], from: number): number {
  const at = messages.findLastIndex(({ kind }) => kind === "compaction");
  const { compaction } = messages[at] ?? {};
  if (compaction) return compaction.coveredMessages;
  return at < 0 ? 0 : from + at;
}

/** Estimates the tokens of a path of that length from its last messages. */
export function measure(
  messages: readonly MessageView[],
  length: number,
): { tokens: number; counted: boolean } {
  const sizeOf = ({ blocks }: MessageView) =>
    blocks.reduce((sum, { chars, text }) => sum + Math.max(chars, text.length), 0);
  const since = (from: number) =>
    Math.ceil(messages.slice(from).reduce((sum, one) => sum + sizeOf(one), 0) / charsPerToken);
  const at = messages.findLastIndex(
    ({ role, inputTokens }) => role === "assistant" && inputTokens > 0,
  );
  const answer = messages[at];
  const compacted = messages.findLastIndex(({ compaction }) => compaction !== undefined);
  const { compaction } = messages[compacted] ?? {};
  if (compaction && compacted > at)
    return { tokens: compaction.tokensAfter + since(compacted + 1), counted: false };
  if (answer)
    return { tokens: answer.inputTokens + answer.outputTokens + since(at + 1), counted: true };
  if (messages.length === 0) return { tokens: 0, counted: false };
  return { tokens: Math.round((since(0) * length) / messages.length), counted: false };
}
