// What was said to a run that ended before its model heard it: nobody's words are lost.

import { toastDone } from "@/components/toast";
import { api } from "@/lib/api";
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
      for (const { sessionId, text } of unsaid.reverse()) giveBack(sessionId, text);
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
