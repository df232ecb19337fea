// The session that is handed over to another tool, over the whole window.

import { createStore } from "./store";

/** A session, and the end of the path; empty: the head. */
export interface HandTarget {
  sessionId: string;
  leafUid: string;
}

/** undefined: none is handed over. */
export const handRequest = createStore<HandTarget | undefined>(undefined);
