/** Where the transcript is to be: on the path that ends at leafUid, and at the message focusUid. */
export interface Place {
  leafUid: string;
  /** Undefined: wherever one was on that path. */
  focusUid?: string;
  /** A run that is looked at has gone on to there: nobody went. */
  follows?: boolean;
}

/** A message that was asked for. Each asking is an object of its own, so that asking again goes there again. */
export interface Focus {
  readonly uid: string;
}

/** Asks for another path, or for another place on it. */
export type OnView = (place: Place) => void;
