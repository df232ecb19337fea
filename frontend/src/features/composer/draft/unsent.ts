// Queued messages of a run that ended before its model received them: they are not lost.

import { toastDone } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { onUnheard } from "@/lib/run/runs";
import type { Citation } from "@/lib/store/compose";
import { giveBack } from "./drafts";

/** Restores undelivered messages to the drafts of their sessions, now and whenever a run ends, until the returned function is called. */
export function connectUnsent(): () => void {
  let asking = false;
  const take = async () => {
    if (asking) return;
    asking = true;
    try {
      const unsent = await api.takeUnsent();
      // Each goes before the current text: the last one first.
      for (const { sessionId, text, cites } of unsent.reverse())
        giveBack(sessionId, text, await citations(sessionId, cites));
      if (unsent.length > 0)
        toastDone(t("The run ended before it read your message: its text is in the field again"));
    } catch {
      // They are stored, and requested when the next run ends.
    } finally {
      asking = false;
    }
  };
  void take();
  return onUnheard(() => void take());
}

/** The messages that a text cites, without those that were deleted. */
async function citations(sessionId: string, cites: readonly string[]): Promise<Citation[]> {
  const found = await Promise.allSettled(cites.map((uid) => api.getPrompt(sessionId, uid)));
  return found.flatMap((one) =>
    one.status === "fulfilled" ? [{ uid: one.value.uid, turn: one.value.turn }] : [],
  );
}
