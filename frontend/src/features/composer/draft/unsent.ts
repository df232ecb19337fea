// Queued messages of a run that ended before its model received them: they are not lost.

import { toastDone } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { onUnheard } from "@/lib/run/runs";
import type { Citation } from "@/lib/store/compose";
import { saveWindowState } from "@/lib/store/window-state";
import { giveBack } from "./drafts";

/** Restores undelivered messages to the drafts of their sessions, now and whenever a run ends, until the returned function is called. */
export function connectUnsent(): () => void {
  let asking = false;
  const given = new Set<string>();
  const take = async () => {
    if (asking) return;
    asking = true;
    try {
      const unsent = await api.getUnsent();
      const uids = unsent.map(({ uid }) => uid);
      const fresh = unsent.filter(({ uid }) => !given.has(uid));
      // Each goes before the current text: the last one first.
      for (const { uid, sessionId, text, cites } of fresh.reverse()) {
        giveBack(sessionId, text, await citations(sessionId, cites));
        given.add(uid);
      }
      // They leave the library only after the drafts are stored: a crash in between loses none.
      if (uids.length > 0) {
        await saveWindowState();
        await api.removeUnsent(uids);
      }
      if (fresh.length > 0)
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
