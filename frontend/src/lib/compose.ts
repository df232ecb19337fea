// What other parts of the window ask of the composer, which may be drawn anywhere.

/** Say it anew, answer it anew, or choose another model and then answer it anew. */
export type ComposeKind = "edit" | "regenerate" | "regenerate-with";

export interface ComposeRequest {
  kind: ComposeKind;
  sessionId: string;
  /** The message that gets a sibling. */
  uid: string;
}

const listeners = new Set<(request: ComposeRequest) => void>();

/** Asks the composer; false where none is there. */
export function compose(request: ComposeRequest): boolean {
  for (const listener of [...listeners]) listener(request);
  return listeners.size > 0;
}

/** Calls back with what is asked until the returned function is called. */
export function onCompose(listener: (request: ComposeRequest) => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
