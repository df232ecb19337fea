import { useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { api, type LiveAnswer, toApiError } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { refreshRun, useLivePart } from "@/lib/run/runs";

/** The way to answer a question, once; `answered` until Go has heard it. */
export function useAnswer(sessionId: string, question: number) {
  const runId = useLivePart(sessionId, (live) => live?.run.id ?? "");
  const [answered, setAnswered] = useState(false);
  const answer = (part: Partial<LiveAnswer>) => {
    if (answered) return;
    setAnswered(true);
    const whole = { allow: false, scope: "once", wide: false, text: "", cites: [], ...part };
    api.answerRun(sessionId, runId, question, whole).catch((error) => {
      setAnswered(false);
      refreshRun(sessionId);
      // Another window, or the end of the run, was faster: the card goes by itself.
      if (toApiError(error).code !== "conflict") toastError(t("Could not send the answer"), error);
    });
  };
  return { answered, answer };
}
