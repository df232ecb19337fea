// What the window shows: a session, and in it a path and a message.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { fetchAhead } from "@/features/transcript/path/fetch-ahead";
import { api, type Session, toApiError } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { watchPath } from "@/lib/run/runs";
import { takeListed } from "@/lib/session/listed";
import type { Focus, Passage, ViewLocation } from "@/lib/session/location";
import { useWindowState } from "@/lib/store/window-state";
import { noTrail, type Step, turnBack, walk } from "./trail";

/** Remembered leaves, by session; the empty leaf is the head, wherever it moves to. */
type Leaves = Record<string, string>;

const kept = 300;
/** So long what is on screen stays while the messages of another session are on their way: it is drawn once, with them. */
const patienceMs = 100;
const noLeaves: Leaves = {};

/** A head that a run is about to move. */
interface Following {
  sessionId: string;
  headUid: string;
}

/** The session on screen and the view of it, stored between two starts. */
export function useView() {
  const [sessionId, setSessionId] = useWindowState("session", "");
  const [leaves, setLeaves] = useWindowState("views", noLeaves);
  const [focus, setFocus] = useState<Focus & { sessionId: string }>();
  const client = useQueryClient();
  const opener = useOpener(sessionId, setSessionId);
  const { goTo } = opener;
  const { session, error } = useSession(sessionId, goTo);
  const { following, follow } = useFollowedHead(session, setLeaves);
  const { setTrail, canGo, step } = useTrail(sessionId, leaves);

  const show = useCallback(
    (id: string, { leafUid, focusUid, passage, follows = false }: ViewLocation) => {
      following.current = undefined;
      const headUid = client.getQueryData<Session>(keys.session(id))?.headUid;
      const leaf = leafUid === headUid ? "" : leafUid;
      setLeaves((now) => remember(now, id, leaf));
      if (follows) return;
      watchPath(id, leafUid);
      setFocus(focusUid === undefined ? undefined : { sessionId: id, uid: focusUid, passage });
      setTrail((now) => walk(now, { sessionId: id, leafUid: leaf, focusUid }));
      // Only the path last viewed is stored: nothing is lost if that fails.
      if (leafUid !== "") api.visit(id, leafUid).catch(() => {});
    },
    [client, setLeaves, setTrail, following],
  );

  const go = (by: 1 | -1) => {
    const next = step(by);
    if (!next) return;
    following.current = undefined;
    watchPath(next.sessionId, next.leafUid);
    goTo(next.sessionId);
    setLeaves((now) => remember(now, next.sessionId, next.leafUid));
    const { sessionId: id, focusUid } = next;
    setFocus(focusUid === undefined ? undefined : { sessionId: id, uid: focusUid });
  };

  return {
    canGo,
    /** Shows again what was viewed before or after what is on screen. */
    go,
    sessionId,
    session,
    error,
    leafUid: leaves[sessionId] || session?.headUid || "",
    focus: focus?.sessionId === sessionId ? focus : undefined,
    /** Opens a session where it was left as soon as its messages are loaded, unless another one is requested meanwhile, even the one on screen. */
    open: useCallback(
      (id: string) =>
        opener.whenLoaded(id, leaves[id], () => {
          goTo(id);
          setFocus(undefined);
          setTrail((now) => walk(now, { sessionId: id, leafUid: leaves[id] ?? "" }));
        }),
      [goTo, opener.whenLoaded, leaves, setTrail],
    ),
    /** Resolves when what was opened last is on screen. */
    opened: opener.opened,
    close: useCallback(() => goTo(""), [goTo]),
    follow,
    /** Shows a position in the session on screen. */
    show: useCallback((location: ViewLocation) => show(sessionId, location), [show, sessionId]),
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
    /** Forgets a leaf that was deleted. */
    reset: useCallback((id: string) => setLeaves((now) => remember(now, id, "")), [setLeaves]),
  };
}

export type View = ReturnType<typeof useView>;

type SetLeaves = (change: (now: Leaves) => Leaves) => void;

/** The session with an id; undefined while it loads, or if it was deleted, which closes it. */
function useSession(sessionId: string, goTo: (id: string) => void) {
  const query = useQuery({
    queryKey: keys.session(sessionId),
    queryFn: () => api.getSession(sessionId),
    enabled: sessionId !== "",
  });
  // A session that was deleted for good stays in the cache.
  const isDeleted = query.error !== null && toApiError(query.error).code === "not_found";
  useEffect(() => {
    if (isDeleted) goTo("");
  }, [isDeleted, goTo]);
  return {
    session: sessionId === "" || isDeleted ? undefined : query.data,
    error: query.error,
  };
}

/** Opens sessions one at a time: the last request wins. */
function useOpener(sessionId: string, setSessionId: (id: string) => void) {
  const client = useQueryClient();
  /** The session that waits for its messages. */
  const opening = useRef<Promise<void> | undefined>(undefined);
  const onScreen = useRef(sessionId);
  onScreen.current = sessionId;
  return {
    goTo: useCallback(
      (id: string) => {
        opening.current = undefined;
        setSessionId(id);
      },
      [setSessionId],
    ),
    /** Calls show when the messages of a session are loaded, at once if they are, unless another session is requested meanwhile. */
    whenLoaded: useCallback(
      async (id: string, leaf: string | undefined, show: () => void): Promise<void> => {
        opening.current = undefined;
        // The caller may have been drawn with another session.
        if (id === onScreen.current) return;
        const known = takeListed(client, id);
        const leafUid = leaf || known?.headUid;
        const messages = leafUid ? fetchAhead(client, id, leafUid) : undefined;
        if (!messages) return show();
        const waiting = Promise.race([messages, pause(patienceMs)]);
        opening.current = waiting;
        await waiting;
        if (opening.current === waiting) show();
      },
      [client],
    ),
    opened: useCallback(async () => opening.current, []),
  };
}

/** Shows the path to the head once a run has moved it from where it was when the run was requested. */
function useFollowedHead(session: Session | undefined, setLeaves: SetLeaves) {
  const client = useQueryClient();
  const following = useRef<Following | undefined>(undefined);
  useEffect(() => {
    const { current } = following;
    if (!session || current?.sessionId !== session.id || current.headUid === session.headUid)
      return;
    following.current = undefined;
    setLeaves((now) => remember(now, session.id, ""));
  }, [session, setLeaves]);
  const follow = useCallback(
    (id: string, headBefore: string) => {
      const headUid = client.getQueryData<Session>(keys.session(id))?.headUid;
      if (headUid === headBefore) following.current = { sessionId: id, headUid };
      else if (headUid !== undefined) setLeaves((now) => remember(now, id, ""));
    },
    [client, setLeaves],
  );
  return { following, follow };
}

/** What was viewed, to go back and forward. */
function useTrail(sessionId: string, leaves: Leaves) {
  const [trail, setTrail] = useState(noTrail);
  // What is on screen when the window opens is the first step.
  const first = useRef({ sessionId, leafUid: leaves[sessionId] ?? "" });
  useEffect(() => {
    if (first.current.sessionId !== "") setTrail((now) => walk(now, first.current));
  }, []);
  // From the home page, back leads to the session that was closed.
  const isClosed = sessionId === "";
  /** Moves along the trail; returns undefined at its end. */
  const step = (by: 1 | -1): Step | undefined => {
    if (by === -1 && isClosed) return trail.steps[trail.at];
    const next = turnBack(trail, by);
    if (next === trail) return undefined;
    setTrail(next);
    return next.steps[next.at];
  };
  const canGo = {
    back: trail.at > (isClosed ? -1 : 0),
    forward: trail.at < trail.steps.length - 1,
  };
  return { setTrail, canGo, step };
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
