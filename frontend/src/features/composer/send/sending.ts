// What is sent, and from which message.

import type { Prompt, RunRequest, Session, Upload } from "@/lib/api/api";
import { type Choice, requestOf } from "@/lib/session/choice";
import type { Citation, CiteRequest } from "@/lib/store/compose";

/** What the composer does: write a message, possibly about other messages, or create a sibling of a message. */
export type Task =
  | { kind: "say" }
  | { kind: "cite"; request: CiteRequest }
  | { kind: "edit"; prompt: Prompt }
  | { kind: "regenerate"; prompt: Prompt };

interface Sending {
  session: Session | undefined;
  /** The end of the path on screen. */
  leafUid: string;
  task: Task;
  choice: Choice;
  text: string;
  images: readonly Upload[];
  /** What the text quotes, in addition to the task's messages. */
  citations: readonly Citation[];
}

/** The run to start. A message that is edited or answered again stays: the new one becomes its sibling. */
export function requestFor(sending: Sending): RunRequest {
  const { session, leafUid, task, choice, text, images, citations } = sending;
  const quoted = citations.map(({ uid }) => uid);
  const request = {
    ...requestOf(session?.id ?? "", choice),
    text,
    images: [...images],
    cites: quoted,
  };
  if (task.kind === "say") {
    const elsewhere = session !== undefined && leafUid !== session.headUid;
    return { ...request, fromUid: elsewhere ? leafUid : "" };
  }
  if (task.kind === "cite") {
    const { fromUid, cites } = task.request;
    return {
      ...request,
      cites: [...new Set([...cites, ...quoted])],
      fromUid: fromUid === session?.headUid ? "" : fromUid,
    };
  }
  const { parentUid } = task.prompt;
  const said = task.kind === "edit" ? {} : { text: "", images: [], cites: [] };
  return { ...request, ...said, fromUid: parentUid, root: parentUid === "" };
}

/** The parent of the message to send; empty: none. */
export function parentOf(task: Task, leafUid: string): string {
  if (task.kind === "say") return leafUid;
  return task.kind === "cite" ? task.request.fromUid : task.prompt.parentUid;
}

/** The name of the draft for what the composer does. */
export function draftName(sessionId: string, task: Task): string {
  if (task.kind === "edit") return `${sessionId} ${task.prompt.uid}`;
  if (task.kind === "cite") return citeDraft(task.request);
  return sessionId;
}

/** The name of the draft of a prompt about other messages. */
export function citeDraft({ sessionId, fromUid, cites }: CiteRequest): string {
  return [sessionId, fromUid, "cites", ...cites].join(" ");
}
