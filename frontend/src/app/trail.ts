// What was viewed, one after the other, to go back and forward in.

/** A place that was viewed: a session, and where it was not left to chance the path and the message. */
export interface Step {
  sessionId: string;
  /** The end of the path; empty for the head, wherever it moves to. */
  leafUid: string;
  focusUid?: string | undefined;
}

/** The steps, and which of them is on screen; -1 before the first. */
export interface Trail {
  readonly steps: readonly Step[];
  readonly at: number;
}

export const noTrail: Trail = { steps: [], at: -1 };

const most = 200;

/** With a step taken: what one could have gone forward to is forgotten. A step to where one is changes nothing. */
export function walk(trail: Trail, step: Step): Trail {
  const here = trail.steps[trail.at];
  if (here && isSame(here, step)) return trail;
  const steps = [...trail.steps.slice(0, trail.at + 1), step].slice(-most);
  return { steps, at: steps.length - 1 };
}

/** Returns the trail one step back or forward, or the same trail at its end. */
export function turnBack(trail: Trail, by: 1 | -1): Trail {
  const at = trail.at + by;
  return trail.steps[at] ? { ...trail, at } : trail;
}

function isSame(a: Step, b: Step): boolean {
  return a.sessionId === b.sessionId && a.leafUid === b.leafUid && a.focusUid === b.focusUid;
}
