import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { api, type MessageView, type Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { Focus } from "@/lib/session/location";
import type { Folds } from "../path/folds";
import { findFork } from "../path/fork";
import { type Card, foldOf, foldOfRow, foldOfRun, isLong, type Row } from "../path/plan";
import { type Path, pageQuery, pageSize } from "../path/use-path";
import type { Position, usePositions } from "../path/use-positions";
import { type Goal, theEnd } from "./column";
import type { ColumnView } from "./use-column";

interface Scene {
  session: Session;
  leafUid: string;
  focus: Focus | undefined;
  path: Path;
  view: ColumnView;
  folds: Folds;
  positions: ReturnType<typeof usePositions>;
  onCurrent: (index: number) => void;
}

const flashMs = 1200;

/** Where a path opens: where it was left, or at its end while a run writes there; undefined: at its beginning. */
export function openingGoal(position: Position | undefined, session: Session): Goal | undefined {
  if (position) return { index: position.index, align: position.offset };
  return session.status === "running" ? theEnd : undefined;
}

/**
 * Decides where in the path one is: where it was left when it opens, where it was when another
 * branch is shown, and at the message that somebody asks for.
 */
export function useReadingPosition(scene: Scene) {
  const { session, leafUid, focus, path, view, positions } = scene;
  const client = useQueryClient();
  /** The path that the column shows. */
  const shown = useRef<{ leafUid: string; length: number } | undefined>(undefined);
  const uids = useRef(new Map<number, string>());
  const hint = useRef<{ leafUid: string; depth: number } | undefined>(undefined);
  const newest = useRef(scene);
  newest.current = scene;

  const length = path.length;
  useLayoutEffect(() => {
    if (length === undefined) return;
    const before = shown.current;
    if (!before) {
      shown.current = { leafUid, length };
      open();
    } else if (before.leafUid !== leafUid) {
      if (!path.isReady) return;
      shown.current = { leafUid, length };
      switchPath(before.leafUid);
    } else if (before.length !== length) {
      shown.current = { leafUid, length };
      view.replace(length, Math.min(length, before.length));
    }
  });

  function open() {
    // Unless it was drawn with them.
    if (view.column.length !== length) view.replace(length ?? 0, 0);
    const goal = openingGoal(positions.recall(session.id, leafUid), session);
    if (goal && !focus) view.goTo(goal);
  }

  function switchPath(oldLeafUid: string) {
    const same = sharedRows();
    const fork = hint.current?.leafUid === leafUid ? hint.current.depth : undefined;
    hint.current = undefined;
    const atEnd = view.column.follows && view.column.isAtEnd;
    view.replace(length ?? 0, fork ?? same ?? 0);
    if (atEnd) return view.goTo(theEnd);
    if (fork !== undefined || same !== undefined || focus) return;
    const position = positions.recall(session.id, leafUid);
    if (position) return view.goTo({ index: position.index, align: position.offset });
    // Nothing of what was on screen is on this path: show where they part.
    void findFork((leaf, page) => client.ensureQueryData(pageQuery(session.id, leaf, page)), {
      a: oldLeafUid,
      b: leafUid,
      length: length ?? 0,
    }).then(
      (depth) => {
        if (newest.current.leafUid === leafUid) view.goTo({ index: depth, align: "start" });
      },
      () => {}, // The rows themselves say that they could not be loaded.
    );
  }

  /** Up to which row this path is the one that was on screen; undefined where no row on screen is shared. */
  function sharedRows(): number | undefined {
    let shared: number | undefined;
    for (let index = view.range.top; index <= view.range.last; index++) {
      const uid = uids.current.get(index);
      if (uid === undefined || path.row(index)?.message.uid !== uid) break;
      shared = index + 1;
    }
    return shared;
  }

  useLayoutEffect(() => {
    if (shown.current?.leafUid !== leafUid) return;
    uids.current.clear();
    for (let index = view.range.first; index <= view.range.last; index++) {
      const uid = path.row(index)?.message.uid;
      if (uid !== undefined) uids.current.set(index, uid);
    }
  });

  // After the effects above: the column must show the path before a message on it.
  const flashIndex = useFocusedMessage(scene, shown);

  return {
    flashIndex,
    /** Another leaf was asked for, and what is on screen is not yet of it. */
    isSwitching: shown.current !== undefined && shown.current.leafUid !== leafUid && !path.isReady,
    onSwitch: useCallback((leaf: string, depth: number) => {
      hint.current = { leafUid: leaf, depth };
    }, []),
    /** Remembers where one reads. */
    remember: useCallback(() => {
      const { session, leafUid, path, view, positions } = newest.current;
      if (shown.current?.leafUid !== leafUid) return;
      const index = view.column.firstVisible;
      const uid = path.row(index)?.message.uid;
      if (uid === undefined) return;
      positions.remember(session.id, leafUid, {
        index,
        uid,
        offset: Math.round(view.column.offsetOf(index)),
      });
    }, []),
  };
}

/** Goes to the requested message once its page is loaded, and marks it for a moment. Returns the index of its row while it is marked. */
function useFocusedMessage(
  scene: Scene,
  shown: RefObject<{ leafUid: string; length: number } | undefined>,
): number | undefined {
  const { session, leafUid, focus, path, view, folds } = scene;
  const client = useQueryClient();
  const [flash, setFlash] = useState<{ uid: string; index: number }>();
  const [wanted, setWanted] = useState<{ uid: string; leafUid: string; depth: number }>();
  const newest = useRef(scene);
  newest.current = scene;

  // Its depth and its page are needed before going there.
  useEffect(() => {
    if (!focus) return;
    let live = true;
    void (async () => {
      try {
        const depth = (await api.locate(session.id, focus.uid)).depth;
        const page = Math.floor(depth / pageSize);
        await client.ensureQueryData(pageQuery(session.id, leafUid, page));
        if (live) setWanted({ uid: focus.uid, leafUid, depth });
      } catch (error) {
        if (live) toastError(t("Could not show the message"), error);
      }
    })();
    return () => {
      live = false;
    };
  }, [client, session.id, leafUid, focus]);

  useLayoutEffect(() => {
    if (!wanted || shown.current?.leafUid !== wanted.leafUid) return;
    if (wanted.depth >= view.column.length || !path.row(wanted.depth)) return;
    const index = reveal(path, folds, wanted.uid, wanted.depth);
    if (focus?.passage) unfold(path.row(index), folds, wanted.uid, focus.passage.part);
    setWanted(undefined);
    view.goTo({ index, align: "center" });
    newest.current.onCurrent(index);
    setFlash({ uid: wanted.uid, index });
  });

  useEffect(() => {
    if (!flash) return;
    const timer = setTimeout(() => setFlash(undefined), flashMs);
    return () => clearTimeout(timer);
  }, [flash]);

  return flash?.index;
}

/** The row in which a message can be seen, with what hides it there opened. */
function reveal(path: Path, folds: Folds, uid: string, depth: number): number {
  const own = path.row(depth);
  if (own && own.host !== depth) openCards(path, folds, own.host, (message) => message.uid === uid);
  if (own && !own.absent) return depth;
  if (own && own.host !== depth) return own.host;
  // A tool's result is on the card of its call, a little above.
  for (let index = depth - 1; index >= Math.max(0, depth - pageSize); index--) {
    const row = path.row(index);
    if (!row) break;
    const { host } = row;
    if (openCards(path, folds, host, (_, resultUid) => resultUid === uid)) return host;
    if (!row.absent || host !== index) return host;
  }
  return depth;
}

/** Opens what hides a part of a message: the message where it is folded, its reasoning, the card of its call. */
export function unfold(row: Row | undefined, folds: Folds, uid: string, part: number) {
  if (row?.look === "folded") folds.set(foldOfRow(row), true);
  for (const item of row?.items ?? []) {
    const cards = item.type === "reads" ? item.cards : [item.card];
    const card = cards.find(({ message, block }) => message.uid === uid && block.part === part);
    if (!card || !opens(card)) continue;
    if (item.type === "reads") folds.set(foldOfRun(item.cards), true);
    folds.set(foldOf(card), true);
  }
}

function opens(card: Card): boolean {
  return card.block.type === "reasoning" || card.block.type === "tool" || isLong(card);
}

type Matches = (message: MessageView, resultUid: string) => boolean;

function openCards(path: Path, folds: Folds, index: number, matches: Matches): boolean {
  for (const item of path.row(index)?.items ?? []) {
    const cards = item.type === "reads" ? item.cards : [item.card];
    const card = cards.find(({ message, block }) => matches(message, block.resultUid));
    if (card?.block.type !== "tool") continue;
    if (item.type === "reads") folds.set(foldOfRun(item.cards), true);
    folds.set(foldOf(card), true);
    return true;
  }
  return false;
}
