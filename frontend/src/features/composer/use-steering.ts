import { useEffect, useState } from "react";
import { toastError } from "@/components/toast";
import { api } from "@/lib/api";
import type { Citation } from "@/lib/compose";
import { useLivePart } from "@/lib/runs";
import { giveBack } from "./draft/drafts";

/** The active run of a session: messages to it, and stopping it. */
export function useSteering(sessionId: string) {
  const running = useLivePart(sessionId, (live) => live?.running ?? false);
  const runId = useLivePart(sessionId, (live) => live?.run.id ?? "");
  const review = useLivePart(sessionId, (live) => {
    const [asked] = live?.questions ?? [];
    return asked?.kind === "review" ? asked.id : undefined;
  });
  const [stopping, setStopping] = useState(false);
  useEffect(() => {
    if (!running) setStopping(false);
  }, [running]);

  /** Sends a message: the model receives it after its next step, or as the answer that the run waits for. */
  async function steer(text: string, citations: readonly Citation[]): Promise<void> {
    const cites = citations.map(({ uid }) => uid);
    try {
      if (review === undefined) return await api.steerRun(sessionId, runId, text, cites);
      const answer = { allow: true, scope: "once", wide: false, text, cites };
      await api.answerRun(sessionId, runId, review, answer);
    } catch (error) {
      giveBack(sessionId, text, citations);
      toastError("The message could not be sent", error);
    }
  }

  const stop = () => {
    if (!running || stopping) return;
    setStopping(true);
    api.stopRun(sessionId, runId).catch((error) => {
      setStopping(false);
      toastError("The run could not be stopped", error);
    });
  };
  return { running, stopping, steer, stop };
}
