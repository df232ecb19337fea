import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Session } from "@/lib/api/api";
import type { Focus } from "@/lib/session/location";
import { theEnd } from "./column/column";
import { useColumn } from "./column/use-column";
import { openingGoal, useReadingPosition } from "./column/use-reading-position";
import type { Folds } from "./path/folds";
import { knownLength, usePath } from "./path/use-path";
import { usePositions } from "./path/use-positions";
import { usePassage } from "./quote/use-passage";

interface Wanted {
  session: Session;
  leafUid: string;
  focus: Focus | undefined;
  folds: Folds;
  onCurrent: (index: number) => void;
  /** Its messages are on screen, not a digest of them. */
  isShown: boolean;
}

/** The messages of a path, the column that draws them, and the position in it. */
export function useShownPath({ session, leafUid, focus, folds, onCurrent, isShown }: Wanted) {
  const scroller = useRef<HTMLDivElement>(null);
  const spacer = useRef<HTMLDivElement>(null);
  const slab = useRef<HTMLDivElement>(null);
  const tail = useRef<HTMLDivElement>(null);
  const boxes = { scroller, spacer, slab, tail };
  const positions = usePositions();
  const client = useQueryClient();
  const [position] = useState(() => positions.recall(session.id, leafUid));
  const start = position?.index ?? 0;
  const [opening] = useState(() => {
    const goal = focus ? undefined : openingGoal(position, session);
    const isNear = goal !== theEnd;
    return { goal, length: isNear ? knownLength(client, session.id, leafUid, start) : undefined };
  });
  const view = useColumn(boxes, opening, () => place.remember(), isShown);
  const { range } = view;
  const settled = useRef({ first: start, last: start });
  if (!view.jumping && range.last >= 0) settled.current = range;
  const path = usePath(session.id, leafUid, settled.current, !view.isPainted);
  const place = useReadingPosition({
    session,
    leafUid,
    focus,
    path,
    view,
    folds,
    positions,
    onCurrent,
  });
  usePassage(scroller, focus, place.flashIndex);
  return { boxes, view, path, place, start };
}

export type ShownPath = ReturnType<typeof useShownPath>;
