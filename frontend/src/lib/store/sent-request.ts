// The answer whose request is shown, over the whole window.

import { createStore } from "./store";

/** An answer of a session. */
export interface SentRequest {
  sessionId: string;
  uid: string;
}

/** undefined: none is shown. */
export const sentRequest = createStore<SentRequest | undefined>(undefined);
