// The runs of this window, followed while they are active. Go reports at most once a frame
// that a run has changed; the changes are requested here, in the next frame, one request at a time.

import { useCallback, useSyncExternalStore } from "react";
import { api, type Lane, onChanged } from "@/lib/api/api";
import { createStore, Listeners, useStore } from "@/lib/store/store";
import { currentDraft, type Live, mergeRun } from "./live";

/** The state of a session in a word, for lists. */
export type Standing = "running" | "waiting";

interface Followed {
  live: Live | undefined;
  /** The run on screen, if several are active side by side; empty: the one that moves the head. */
  watched: string;
  asking: boolean;
  /** It changed again during the request. */
  again: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
  changes: Listeners;
}

const followed = new Map<string, Followed>();
/** The state of every session with a run. */
const standings = createStore<ReadonlyMap<string, Standing>>(new Map());
const unheard = new Listeners();

/** Runs that are not on screen are requested at this interval: a list shows whether they wait. */
const idleMs = 500;

function follow(sessionId: string): Followed {
  let one = followed.get(sessionId);
  if (!one) {
    one = {
      live: undefined,
      watched: "",
      asking: false,
      again: false,
      timer: undefined,
      changes: new Listeners(),
    };
    followed.set(sessionId, one);
  }
  return one;
}

/** Follows the runs that Go reports, until the returned function is called. */
export function connectRuns(): () => void {
  forgetAll();
  const disconnect = onChanged(({ sessionId, kinds }) => {
    if (kinds.includes("run")) touch(sessionId);
  });
  return () => {
    disconnect();
    forgetAll();
  };
}

function forgetAll() {
  for (const { timer } of followed.values()) clearTimeout(timer);
  followed.clear();
  standings.set(new Map());
}

function touch(sessionId: string) {
  const one = follow(sessionId);
  if (one.asking || one.timer !== undefined) {
    one.again = true;
    return;
  }
  one.asking = true;
  const ask = () => {
    one.timer = undefined;
    void pull(sessionId, one);
  };
  if (one.changes.size === 0 && one.live) one.timer = setTimeout(ask, idleMs);
  // A hidden window has no frames.
  else if (document.hidden) one.timer = setTimeout(ask, idleMs / 5);
  else requestAnimationFrame(ask);
}

/** Requests at once what would be requested later. */
function hurry(sessionId: string, one: Followed) {
  if (one.timer !== undefined) {
    clearTimeout(one.timer);
    one.timer = undefined;
    one.asking = false;
  }
  touch(sessionId);
}

async function pull(sessionId: string, one: Followed): Promise<void> {
  one.again = false;
  try {
    const { watched, live } = one;
    // The state of another run does not apply to this one.
    const known = live?.running && (watched === "" || live.run.id === watched) ? live : undefined;
    const draft = known && currentDraft(known);
    const answer = await api.getRun(sessionId, watched, draft?.id ?? 0, known?.revision ?? 0);
    if (followed.get(sessionId) !== one || one.watched !== watched) return;
    one.live = answer.sessionId === "" ? undefined : mergeRun(one.live, answer);
    announce(sessionId, one);
  } catch {
    // The next change requests it again; stored messages are shown in any case.
  } finally {
    one.asking = false;
  }
  if (one.again && followed.get(sessionId) === one) touch(sessionId);
}

function announce(sessionId: string, one: Followed) {
  one.changes.notify();
  if (one.live && !one.live.running && one.live.queue.length > 0) unheard.notify();
  const standing = standingOf(one.live);
  const all = new Map(standings.get());
  if (standing === all.get(sessionId)) return;
  if (standing) all.set(sessionId, standing);
  else all.delete(sessionId);
  standings.set(all);
}

function standingOf(live: Live | undefined): Standing | undefined {
  if (live?.lanes.some(({ waits }) => waits)) return "waiting";
  if (live?.lanes.some(({ running }) => running)) return "running";
  if (!live?.running) return undefined;
  return live.questions.length > 0 ? "waiting" : "running";
}

/** Calls back, until the returned function is called, when a run has ended before its model received every queued message. */
export const onUnheard = unheard.add;

/** Requests the current state of a session's run. */
export function refreshRun(sessionId: string): void {
  if (sessionId !== "") touch(sessionId);
}

/** Shows one of the runs that are active side by side in a session; empty: the one that moves the head. */
export function watchRun(sessionId: string, runId: string): void {
  const one = follow(sessionId);
  if (one.watched === runId) return;
  one.watched = runId;
  hurry(sessionId, one);
}

/** Shows the run that writes at the end of a path, if there is one; otherwise the one that moves the head. */
export function watchPath(sessionId: string, leafUid: string): void {
  const lanes = followed.get(sessionId)?.live?.lanes ?? noLanes;
  const lane = lanes.find(({ tipUid }) => tipUid === leafUid);
  watchRun(sessionId, lane && lane.number > 0 ? lane.runId : "");
}

const noLanes: readonly Lane[] = [];

/** The runs of a session that are, or were last, active side by side. */
export function useLanes(sessionId: string): readonly Lane[] {
  return useLivePart(sessionId, lanesOf);
}

const lanesOf = (live: Live | undefined): readonly Lane[] => live?.lanes ?? noLanes;

/** The run on screen if it is not the one that moves the head; otherwise undefined. */
export function useWatchedLane(sessionId: string): Lane | undefined {
  return useLivePart(sessionId, (live) =>
    live?.lanes.find(
      ({ runId, number }) => number > 0 && runId === followed.get(sessionId)?.watched,
    ),
  );
}

/** The state of a session's run, and each change of it; undefined if this window has not run it. */
export function useLive(sessionId: string): Live | undefined {
  return useLivePart(sessionId, whole);
}

const whole = (live: Live | undefined) => live;

/**
 * A part of the state of a session's run. The component is rendered again only if the part is
 * another one, by identity: `select` must not create objects.
 */
export function useLivePart<Part>(
  sessionId: string,
  select: (live: Live | undefined) => Part,
): Part {
  const subscribe = useCallback(
    (listener: () => void) => {
      if (sessionId === "") return () => {};
      const one = follow(sessionId);
      const remove = one.changes.add(listener);
      // It may have been active before it was shown.
      if (one.changes.size === 1) hurry(sessionId, one);
      return remove;
    },
    [sessionId],
  );
  return useSyncExternalStore(subscribe, () => select(followed.get(sessionId)?.live));
}

/** Reports whether a session runs in this window, or waits for the user there. */
export function useStanding(sessionId: string): Standing | undefined {
  return useStore(standings, (now) => now.get(sessionId));
}
