/** The words around a search match, with white space folded, and the text that was searched for. */
export interface Passage {
  readonly snippet: string;
  /** The index of the part of the message that has the match. */
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** The position in the transcript: on the path that ends at leafUid, and at the message focusUid. */
export interface ViewLocation {
  leafUid: string;
  /** Undefined: the last position on that path. */
  focusUid?: string;
  /** What to show of that message. */
  passage?: Passage | undefined;
  /** The run on screen has continued to there: the user did not navigate. */
  follows?: boolean;
}

/** A requested message. Each request is an object of its own, so that requesting it again scrolls there again. */
export interface Focus {
  readonly uid: string;
  readonly passage?: Passage | undefined;
}

/** Requests another path, or another position on it. */
export type OnView = (location: ViewLocation) => void;
