import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type RunRequest } from "@/lib/api/api";
import { useCommand } from "@/lib/keys/commands";
import { refreshRun } from "@/lib/run/runs";
import type { Composing } from "./use-composer";

/** Lets the user replace the old part of the context by a summary. The messages stay in the session. */
export function useCompactContext({ sessionId, running, request }: Composing) {
  const compact = () =>
    compactContext({ ...request(), text: "", images: [], cites: [], fromUid: "", root: false });
  useCommand("compact-context", () => void compact(), { enabled: sessionId !== "" && !running });
}

async function compactContext(request: RunRequest): Promise<void> {
  try {
    const done = api.compactContext(request);
    refreshRun(request.sessionId);
    const notice = await done;
    toastDone(notice.charAt(0).toUpperCase() + notice.slice(1));
  } catch (error) {
    toastError("Could not compact the context", error);
  }
}
