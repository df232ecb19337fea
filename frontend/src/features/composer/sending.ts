// What is sent, and from where.

import type { Prompt, RunRequest, Session, Upload } from "@/lib/api";
import { type Choice, requestOf } from "@/lib/choice";

/** What the composer is at: saying something, or making a sibling of a message. */
export type Task =
  | { kind: "say" }
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
}

/** The run that is asked for. A message that is edited or answered anew stays: the new one becomes its sibling. */
export function requestFor({ session, leafUid, task, choice, text, images }: Sending): RunRequest {
  const request = { ...requestOf(session?.id ?? "", choice), text, images: [...images] };
  if (task.kind === "say") {
    const elsewhere = session !== undefined && leafUid !== session.headUid;
    return { ...request, fromUid: elsewhere ? leafUid : "" };
  }
  const { parentUid } = task.prompt;
  const said = task.kind === "edit" ? {} : { text: "", images: [] };
  return { ...request, ...said, fromUid: parentUid, root: parentUid === "" };
}
