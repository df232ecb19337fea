// What the window shows: a session, and in it a path and a message.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { fetchAhead } from "@/features/transcript/fetch-ahead";
import { api, type Session, toApiError } from "@/lib/api";
import { takeListed } from "@/lib/listed";
import type { Focus, Place } from "@/lib/place";
import { keys } from "@/lib/query";
import { watchPath } from "@/lib/runs";
import { useWindowState } from "@/lib/window-state";
import { noTrail, type Step, turnBack, walk } from "./trail";

/** Remembered leaves, by session; the empty leaf is the head, wherever it moves to. */
type Leaves = Record<string, string>;

const kept = 300;
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
  const following = useRef<{ sessionId: string; headUid: string } | undefined>(undefined);
  useEffect(() => {
    if (gone) setSessionId("");
  }, [gone, setSessionId]);

  // A run has moved the head: now the path to it is shown, not before, when it was another one.
  useEffect(() => {
    const { current } = following;
    if (!session || current?.sessionId !== session.id || current.headUid === session.headUid)
      return;
    following.current = undefined;
    setLeaves((now) => remember(now, session.id, ""));
  }, [session, setLeaves]);

  const show = useCallback(
    (id: string, { leafUid, focusUid, follows = false }: Place) => {
      following.current = undefined;
      const headUid = client.getQueryData<Session>(keys.session(id))?.headUid;
      const leaf = leafUid === headUid ? "" : leafUid;
      setLeaves((now) => remember(now, id, leaf));
      if (follows) return;
      watchPath(id, leafUid);
      setFocus(focusUid === undefined ? undefined : { sessionId: id, uid: focusUid });
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
    setSessionId(step.sessionId);
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
    /** Opens a session where it was left. */
    open: useCallback(
      (id: string) => {
        const known = takeListed(client, id);
        const leafUid = leaves[id] || known?.headUid;
        if (leafUid) fetchAhead(client, id, leafUid);
        setSessionId(id);
        setFocus(undefined);
        setTrail((now) => walk(now, { sessionId: id, leafUid: leaves[id] ?? "" }));
      },
      [client, setSessionId, leaves],
    ),
    close: useCallback(() => setSessionId(""), [setSessionId]),
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
      async (id: string, node: string) => {
        const location = await api.locate(id, node);
        await client.ensureQueryData({
          queryKey: keys.session(id),
          queryFn: () => api.getSession(id),
        });
        setSessionId(id);
        show(id, { leafUid: location.leafUid, focusUid: location.uid });
      },
      [client, setSessionId, show],
    ),
    /** Forgets a leaf that is not there any more. */
    reset: useCallback((id: string) => setLeaves((now) => remember(now, id, "")), [setLeaves]),
  };
}

/** The newest come last; the oldest are forgotten. */
function remember(leaves: Leaves, id: string, leafUid: string): Leaves {
  const { [id]: _, ...others } = leaves;
  const next = leafUid === "" ? others : { ...others, [id]: leafUid };
  return Object.fromEntries(Object.entries(next).slice(-kept));
}
