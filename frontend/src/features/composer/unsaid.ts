// What was said to a run that ended before its model heard it: nobody's words are lost.

import { toastDone } from "@/components/toast";
import { api } from "@/lib/api";
import type { Citation } from "@/lib/compose";
import { onUnheard } from "@/lib/runs";
import { giveBack } from "./drafts";

/** Gives unheard words back to the drafts of their sessions, now and whenever a run ends, until the returned function is called. */
export function connectUnsaid(): () => void {
  let asking = false;
  const take = async () => {
    if (asking) return;
    asking = true;
    try {
      const unsaid = await api.takeUnsaid();
      // Each goes before what is there: the last one first.
      for (const { sessionId, text, cites } of unsaid.reverse())
        giveBack(sessionId, text, await citations(sessionId, cites));
      if (unsaid.length > 0)
        toastDone("The run ended before it heard you: your words are in the field again");
    } catch {
      // They are kept, and asked for when the next run ends.
    } finally {
      asking = false;
    }
  };
  void take();
  return onUnheard(() => void take());
}

/** The messages that words cite, without those that are gone. */
async function citations(sessionId: string, cites: readonly string[]): Promise<Citation[]> {
  const found = await Promise.allSettled(cites.map((uid) => api.getPrompt(sessionId, uid)));
  return found.flatMap((one) =>
    one.status === "fulfilled" ? [{ uid: one.value.uid, turn: one.value.turn }] : [],
  );
}
