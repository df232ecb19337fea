// What the window shows: a session, and in it a path and a message.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { fetchAhead } from "@/features/transcript/path/fetch-ahead";
import { api, type Session, toApiError } from "@/lib/api";
import { takeListed } from "@/lib/listed";
import type { Focus, Passage, Place } from "@/lib/place";
import { keys } from "@/lib/query";
import { watchPath } from "@/lib/runs";
import { useWindowState } from "@/lib/window-state";
import { noTrail, type Step, turnBack, walk } from "./trail";

/** Remembered leaves, by session; the empty leaf is the head, wherever it moves to. */
type Leaves = Record<string, string>;

const kept = 300;
/** So long what is on screen stays while the messages of another session are on their way: it is drawn once, with them. */
const patienceMs = 100;
const noLeaves: Leaves = {};

/** The session on screen and the view of it, remembered between two starts. */
export function useView() {
  const [sessionId, setSessionId] = useWindowState("session", "");
  const [leaves, setLeaves] = useWindowState("views", noLeaves);
  const [focus, setFocus] = useState<Focus & { sessionId: string }>();
  const [trail, setTrail] = useState(noTrail);
  const client = useQueryClient();
  const query = useQuery({
    queryKey: keys.session(sessionId),
    queryFn: () => api.getSession(sessionId),
    enabled: sessionId !== "",
  });
  // What was deleted for good stays in the cache.
  const gone = query.error !== null && toApiError(query.error).code === "not_found";
  const session = sessionId === "" || gone ? undefined : query.data;
  /** The session that waits for its messages. */
  const opening = useRef<Promise<void> | undefined>(undefined);
  const onScreen = useRef(sessionId);
  onScreen.current = sessionId;
  const goTo = useCallback(
    (id: string) => {
      opening.current = undefined;
      setSessionId(id);
    },
    [setSessionId],
  );
  const following = useRef<{ sessionId: string; headUid: string } | undefined>(undefined);
  useEffect(() => {
    if (gone) goTo("");
  }, [gone, goTo]);

  // A run has moved the head: now the path to it is shown, not before, when it was another one.
  useEffect(() => {
    const { current } = following;
    if (!session || current?.sessionId !== session.id || current.headUid === session.headUid)
      return;
    following.current = undefined;
    setLeaves((now) => remember(now, session.id, ""));
  }, [session, setLeaves]);

  const show = useCallback(
    (id: string, { leafUid, focusUid, passage, follows = false }: Place) => {
      following.current = undefined;
      const headUid = client.getQueryData<Session>(keys.session(id))?.headUid;
      const leaf = leafUid === headUid ? "" : leafUid;
      setLeaves((now) => remember(now, id, leaf));
      if (follows) return;
      watchPath(id, leafUid);
      setFocus(focusUid === undefined ? undefined : { sessionId: id, uid: focusUid, passage });
      setTrail((now) => walk(now, { sessionId: id, leafUid: leaf, focusUid }));
      // Only a memory of where one has been: nothing is lost where it fails.
      if (leafUid !== "") api.visit(id, leafUid).catch(() => {});
    },
    [client, setLeaves],
  );

  // Where one was when the window opened is the first step.
  const first = useRef({ sessionId, leafUid: leaves[sessionId] ?? "" });
  useEffect(() => {
    if (first.current.sessionId !== "") setTrail((now) => walk(now, first.current));
  }, []);
  const go = (by: 1 | -1) => {
    const next = turnBack(trail, by);
    const step: Step | undefined = next.steps[next.at];
    if (next === trail || !step) return;
    following.current = undefined;
    setTrail(next);
    watchPath(step.sessionId, step.leafUid);
    goTo(step.sessionId);
    setLeaves((now) => remember(now, step.sessionId, step.leafUid));
    const { sessionId: id, focusUid } = step;
    setFocus(focusUid === undefined ? undefined : { sessionId: id, uid: focusUid });
  };

  return {
    canGo: { back: trail.at > 0, forward: trail.at < trail.steps.length - 1 },
    /** Shows again what was viewed before or after what is on screen. */
    go,
    sessionId,
    session,
    error: query.error,
    leafUid: leaves[sessionId] || session?.headUid || "",
    focus: focus?.sessionId === sessionId ? focus : undefined,
    /** Opens a session where it was left as soon as its messages are here, unless another one is asked for meanwhile, be it the one on screen. */
    open: useCallback(
      async (id: string) => {
        opening.current = undefined;
        // By now: who asks may have been drawn with another one.
        if (id === onScreen.current) return;
        const known = takeListed(client, id);
        const leafUid = leaves[id] || known?.headUid;
        const messages = leafUid ? fetchAhead(client, id, leafUid) : undefined;
        if (messages) {
          const waiting = Promise.race([messages, pause(patienceMs)]);
          opening.current = waiting;
          await waiting;
          if (opening.current !== waiting) return;
        }
        goTo(id);
        setFocus(undefined);
        setTrail((now) => walk(now, { sessionId: id, leafUid: leaves[id] ?? "" }));
      },
      [client, goTo, leaves],
    ),
    /** Ends when what was opened last is on screen. */
    opened: useCallback(async () => opening.current, []),
    close: useCallback(() => goTo(""), [goTo]),
    /** Shows the head as soon as a run has moved it from where it was when the run was asked for, which may be by now. */
    follow: useCallback(
      (id: string, headBefore: string) => {
        const headUid = client.getQueryData<Session>(keys.session(id))?.headUid;
        if (headUid === headBefore) following.current = { sessionId: id, headUid };
        else if (headUid !== undefined) setLeaves((now) => remember(now, id, ""));
      },
      [client, setLeaves],
    ),
    /** Shows a place of the session on screen. */
    show: useCallback((place: Place) => show(sessionId, place), [show, sessionId]),
    /** Opens a session at a message, on the path last visited through it. */
    openAt: useCallback(
      async (id: string, node: string, passage?: Passage) => {
        const location = await api.locate(id, node);
        await client.ensureQueryData({
          queryKey: keys.session(id),
          queryFn: () => api.getSession(id),
        });
        goTo(id);
        show(id, { leafUid: location.leafUid, focusUid: location.uid, passage });
      },
      [client, goTo, show],
    ),
    /** Forgets a leaf that is not there any more. */
    reset: useCallback((id: string) => setLeaves((now) => remember(now, id, "")), [setLeaves]),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

/** The newest come last; the oldest are forgotten. */
function remember(leaves: Leaves, id: string, leafUid: string): Leaves {
  const { [id]: _, ...others } = leaves;
  const next = leafUid === "" ? others : { ...others, [id]: leafUid };
  return Object.fromEntries(Object.entries(next).slice(-kept));
}
