/** The words around what a search has found, with all space between them as one, and what of them was looked for. */
export interface Passage {
  readonly snippet: string;
  /** The index of the part of the message that it stands in. */
  readonly part: number;
  readonly from: number;
  readonly to: number;
}

/** Where the transcript is to be: on the path that ends at leafUid, and at the message focusUid. */
export interface Place {
  leafUid: string;
  /** Undefined: wherever one was on that path. */
  focusUid?: string;
  /** What is to be seen of that message. */
  passage?: Passage | undefined;
  /** A run that is looked at has gone on to there: nobody went. */
  follows?: boolean;
}

/** A message that was asked for. Each asking is an object of its own, so that asking again goes there again. */
export interface Focus {
  readonly uid: string;
  readonly passage?: Passage | undefined;
}

/** Asks for another path, or for another place on it. */
export type OnView = (place: Place) => void;
