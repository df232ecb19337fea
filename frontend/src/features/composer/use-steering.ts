import { useEffect, useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useLivePart } from "@/lib/run/runs";
import type { Citation } from "@/lib/store/compose";
import { giveBack } from "./draft/drafts";
import type { useDraft } from "./draft/use-draft";

type Sendable = Pick<ReturnType<typeof useDraft>, "text" | "images" | "citations" | "setText">;

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
      toastError(t("Could not send the message"), error);
    }
  }

  /** Sends a draft and empties it. */
  const send = ({ text, images, citations, setText }: Sendable) => {
    if (images.length > 0)
      return toastError(t("Could not send the message"), t("Send images after the run has ended"));
    setText("");
    void steer(text, citations);
  };

  const stop = () => {
    if (!running || stopping) return;
    setStopping(true);
    api.stopRun(sessionId, runId).catch((error) => {
      setStopping(false);
      toastError(t("Could not stop the run"), error);
    });
  };
  /** Queues a text, also while the run waits for an answer. */
  const queue = (text: string) => {
    api
      .steerRun(sessionId, runId, text, [])
      .catch((error) => toastError(t("Could not send the message"), error));
  };
  return { running, stopping, send, queue, stop };
}
