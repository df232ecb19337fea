// Requests of other parts of the window to the composer, which may be anywhere.

import type { MessageView } from "@/lib/api/api";
import { Listeners } from "./store";

/** Edit a prompt, answer it again, or choose another model and answer it again. */
export interface SiblingRequest {
  kind: "edit" | "regenerate" | "regenerate-with";
  sessionId: string;
  /** The message that gets a sibling. */
  uid: string;
}

/** A prompt about other messages, prefilled for the user to complete. */
export interface CiteRequest {
  kind: "cite";
  act: "merge" | "quote";
  sessionId: string;
  /** The task in a few words: "Merging two branches". */
  title: string;
  /** The parent of the prompt. */
  fromUid: string;
  cites: string[];
  text: string;
}

/** Words of messages, to add to the text in the composer. */
interface QuoteRequest {
  kind: "quote";
  sessionId: string;
  cites: Citation[];
  /** Markdown. */
  text: string;
}

/** A message that a prompt refers to, and its turn. */
export interface Citation {
  uid: string;
  turn: number;
}

export type ComposeRequest = SiblingRequest | CiteRequest | QuoteRequest;

/** Reports whether the user wrote a message, so that they can edit it. */
export function canEdit({ role, kind }: MessageView): boolean {
  return role === "user" && kind === "message";
}

/** Reports whether a model wrote a message, so that it can answer again. */
export function canRegenerate({ role, kind, parentUid }: MessageView): boolean {
  return role === "assistant" && kind === "message" && parentUid !== "";
}

const requests = new Listeners<[ComposeRequest]>();
/** A request without a composer: the next one takes it, if it is mounted immediately. */
let waiting: { request: ComposeRequest; sinceMs: number } | undefined;
const patienceMs = 3000;

/** Sends a request to the composer that is mounted, or about to be. */
export function compose(request: ComposeRequest): void {
  if (requests.size === 0) waiting = { request, sinceMs: performance.now() };
  requests.notify(request);
}

/** Calls back with each request until the returned function is called. */
export function onCompose(listener: (request: ComposeRequest) => void): () => void {
  const remove = requests.add(listener);
  const asked = waiting;
  waiting = undefined;
  if (asked && performance.now() - asked.sinceMs < patienceMs) listener(asked.request);
  return remove;
}
