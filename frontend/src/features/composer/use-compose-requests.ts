import { useEffect, useRef } from "react";
import { toastError } from "@/components/feedback/toast";
import { api, type Prompt } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { type ComposeRequest, onCompose, type SiblingRequest } from "@/lib/store/compose";
import type { Task } from "./send/sending";

interface Takers {
  sessionId: string;
  running: boolean;
  onQuote: (request: Extract<ComposeRequest, { kind: "quote" }>) => void;
  onCite: (request: Extract<ComposeRequest, { kind: "cite" }>) => void;
  onEdit: (prompt: Prompt, uid: string) => void;
  /** Answer a prompt again: at once, or after the choice of a model. */
  onRegenerate: (task: Extract<Task, { kind: "regenerate" }>, choose: boolean) => void;
}

/** Takes what other parts of the window request of the composer. */
export function useComposeRequests(takers: Takers): void {
  const { sessionId } = takers;
  const newest = useRef(takers);
  newest.current = takers;
  useEffect(
    () =>
      onCompose((request) => {
        if (request.sessionId === sessionId) take(request, newest.current);
      }),
    [sessionId],
  );
}

function take(request: ComposeRequest, takers: Takers): void {
  if (request.kind === "quote") takers.onQuote(request);
  else if (takers.running)
    toastError(t("The session is running"), t("Stop it, or wait until it ends"));
  else if (request.kind === "cite") takers.onCite(request);
  else void takePrompt(request, takers);
}

async function takePrompt({ kind, sessionId, uid }: SiblingRequest, takers: Takers): Promise<void> {
  try {
    const prompt = await api.getPrompt(sessionId, uid);
    if (kind === "edit") takers.onEdit(prompt, uid);
    else takers.onRegenerate({ kind: "regenerate", prompt }, kind === "regenerate-with");
  } catch (error) {
    toastError(t("Could not read the message"), error);
  }
}
