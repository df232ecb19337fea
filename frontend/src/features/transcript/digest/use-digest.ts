import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { api, type Session } from "@/lib/api/api";
import type { Focus } from "@/lib/session/location";
import { type Mode, setPassingMode, useMode } from "@/lib/session/mode";
import { Folds } from "../path/folds";
import type { DigestHandle } from "../path/mode";
import { usePathTurns } from "../path/path-turns";
import { recallPosition } from "../path/use-positions";

/** How much of the session is shown, and what its digest needs. */
export function useDigest(session: Session, leafUid: string) {
  const [mode, store] = useMode();
  const { data: turns } = usePathTurns(session.id, leafUid);
  const [works] = useState(() => new Folds());
  const digest = useRef<DigestHandle>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const [left] = useState(() => recallPosition(session.id, leafUid)?.index ?? 0);
  const [opening, setOpening] = useState<number>();
  const [place, setPlace] = useState(0);
  const keepFocus = useFocusInFeed(frame, mode);
  useEffect(() => () => setPassingMode(undefined), []);
  return {
    mode,
    /** Shows the turn at a place in another mode, which is remembered or is of this session while it is open. */
    setMode: (next: Mode, at: number, remembered: boolean) => {
      setOpening(at);
      setPlace(at);
      keepFocus();
      if (remembered) store(next);
      else setPassingMode(next);
    },
    turns,
    works,
    digest,
    frame,
    /** The turn that is read in the digest. */
    place,
    feed: {
      answers: mode === "digest",
      opening: opening ?? Math.max(0, turns?.at(left) ?? 0),
      handle: digest,
      onPlace: setPlace,
    },
  };
}

/** Moves the focus from the rows of one mode to those of the next, which replace them. Returns the function that requests it. */
function useFocusInFeed(frame: RefObject<HTMLElement | null>, mode: Mode) {
  const isInside = useRef(false);
  const feed = () => frame.current?.querySelector<HTMLElement>("[role=feed]");
  // biome-ignore lint/correctness/useExhaustiveDependencies: another mode has another feed
  useLayoutEffect(() => {
    if (isInside.current) feed()?.focus({ preventScroll: true });
    isInside.current = false;
  }, [mode]);
  return () => {
    isInside.current = feed()?.contains(document.activeElement) ?? false;
  };
}

type Reader = ReturnType<typeof useDigest>;

interface Wanted {
  sessionId: string;
  /** The message to show. */
  focus: Focus | undefined;
  /** A run writes at the end of the path. */
  isLive: boolean;
  reader: Reader;
  /** Shows all messages, at the turn that is read or at the end of the path. */
  showAll: (at: "turn" | "end") => void;
}

/**
 * Shows the whole session for what is no part of a digest: a requested message that does not begin a turn, and a run with its calls,
 * its questions and its output.
 */
export function useWhole({ sessionId, focus, isLive, reader, showAll }: Wanted) {
  const newest = useRef({ reader, showAll });
  newest.current = { reader, showAll };
  useEffect(() => {
    if (!focus || newest.current.reader.mode === "all") return;
    let live = true;
    api.locate(sessionId, focus.uid).then(
      ({ depth }) => {
        const { reader, showAll } = newest.current;
        if (!live || !reader.turns) return;
        const place = reader.turns.at(depth);
        if (!focus.passage && depth === reader.turns.start(place))
          reader.digest.current?.goTo(place);
        else showAll("turn");
      },
      () => {}, // The whole transcript reports it.
    );
    return () => {
      live = false;
    };
  }, [sessionId, focus]);
  const wasLive = useRef(isLive);
  useEffect(() => {
    const began = isLive && !wasLive.current;
    wasLive.current = isLive;
    if (isLive && newest.current.reader.mode !== "all")
      newest.current.showAll(began ? "end" : "turn");
  }, [isLive]);
}
