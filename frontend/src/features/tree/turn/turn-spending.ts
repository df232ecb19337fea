import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type MessageView, type Turn } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** What a turn did, as far as its messages have been read. */
export interface Spending {
  model: string;
  durationMs: number;
  /** In the order of their first change. */
  files: { path: string; added: number; removed: number }[];
}

/** Longer turns are not read for their details. */
const most = 120;

/** What a turn used; undefined while it or its words are read, null for a turn too long to read for it. */
export function useSpending(
  sessionId: string,
  selected: Turn | undefined,
): Spending | null | undefined {
  const turn = useSettled(selected);
  const { data, isError } = useQuery({
    queryKey: [...keys.window(sessionId), "turn", turn?.lastUid],
    queryFn: () =>
      api.getWindow(sessionId, turn?.lastUid ?? "", turn?.firstDepth ?? 0, turn?.messages ?? 0),
    enabled: turn !== undefined && turn.messages <= most,
  });
  if (selected && (selected.messages > most || isError)) return null;
  return data && turn?.lastUid === selected?.lastUid ? spendingOf(data.messages) : undefined;
}

const settleMs = 150;

// The value once it has stayed the same for a moment: a held arrow key passes over many turns.
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** Sums up the messages of a turn. */
export function spendingOf(messages: readonly MessageView[]): Spending {
  const answer = messages.find(({ role }) => role === "assistant");
  const files = new Map<string, { added: number; removed: number }>();
  for (const { target, added, removed } of messages.flatMap(({ blocks }) => blocks)) {
    if (added + removed === 0) continue;
    const sum = files.get(target) ?? { added: 0, removed: 0 };
    files.set(target, { added: sum.added + added, removed: sum.removed + removed });
  }
  return {
    model: answer?.model ?? "",
    durationMs: (messages.at(-1)?.createdAtMs ?? 0) - (messages[0]?.createdAtMs ?? 0),
    files: [...files].map(([path, lines]) => ({ path, ...lines })),
  };
}
