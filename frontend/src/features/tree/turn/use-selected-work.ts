import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, type Turn, type Work } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** What was done in the selected turn, as its bar in the digest counts it; undefined while it loads, null where that failed. */
export function useSelectedWork(
  sessionId: string,
  selected: Turn | undefined,
): Work | null | undefined {
  const turn = useSettled(selected);
  const { data, isError } = useQuery({
    queryKey: keys.work(sessionId, turn?.node ?? -1, turn?.messages ?? 0, turn?.lastUid),
    queryFn: () => {
      const span = { from: turn?.firstDepth ?? 0, count: turn?.messages ?? 0 };
      return api.getTurnWork(sessionId, turn?.lastUid ?? "", span);
    },
    enabled: turn !== undefined,
  });
  if (isError) return null;
  return turn?.lastUid === selected?.lastUid ? data : undefined;
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
