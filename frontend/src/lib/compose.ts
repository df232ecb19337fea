// What other parts of the window ask of the composer, which may be drawn anywhere.

import type { MessageView } from "./api";

/** Say it anew, answer it anew, or choose another model and then answer it anew. */
export interface AnewRequest {
  kind: "edit" | "regenerate" | "regenerate-with";
  sessionId: string;
  /** The message that gets a sibling. */
  uid: string;
}

/** A prompt that is about other messages, written so far for a person to go on. */
export interface CiteRequest {
  kind: "cite";
  act: "merge" | "quote";
  sessionId: string;
  /** What is being done, in a few words: "Merging n9 and n14". */
  title: string;
  /** What the prompt hangs on, and its turn. */
  fromUid: string;
  fromTurn: number;
  cites: string[];
  text: string;
}

/** Words of messages, to be added to what is being written. */
export interface QuoteRequest {
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

export type ComposeRequest = AnewRequest | CiteRequest | QuoteRequest;

/** Says whether a person said it, so that they can say it anew. */
export function canEdit({ role, kind }: MessageView): boolean {
  return role === "user" && kind === "message";
}

/** Says whether a model answered something, so that it can answer anew. */
export function canRegenerate({ role, kind, parentUid }: MessageView): boolean {
  return role === "assistant" && kind === "message" && parentUid !== "";
}

const listeners = new Set<(request: ComposeRequest) => void>();
/** What was asked while no composer was there: the next one takes it, if it comes at once. */
let waiting: { request: ComposeRequest; sinceMs: number } | undefined;
const patienceMs = 3000;

/** Asks the composer: the one that is there, or that is about to be drawn. */
export function compose(request: ComposeRequest): void {
  if (listeners.size === 0) waiting = { request, sinceMs: performance.now() };
  for (const listener of [...listeners]) listener(request);
}

/** Calls back with what is asked until the returned function is called. */
export function onCompose(listener: (request: ComposeRequest) => void): () => void {
  listeners.add(listener);
  const asked = waiting;
  waiting = undefined;
  if (asked && performance.now() - asked.sinceMs < patienceMs) listener(asked.request);
  return () => {
    listeners.delete(listener);
  };
}
