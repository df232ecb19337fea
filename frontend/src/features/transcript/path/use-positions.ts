import { useCallback } from "react";
import { readWindowState, useWindowState } from "@/lib/store/window-state";

/** Where the user stopped reading: the row and the distance of its top from the top of the view. */
export interface Position {
  index: number;
  uid: string;
  offset: number;
}

type Positions = Record<string, Position>;

const stateName = "positions";
const none: Positions = {};
const kept = 300;

/** The places where paths were left, remembered between two starts; the oldest are forgotten. */
export function usePositions() {
  const [positions, setPositions] = useWindowState(stateName, none);
  const remember = useCallback(
    (sessionId: string, leafUid: string, position: Position) => {
      setPositions((now) => {
        const { [nameOf(sessionId, leafUid)]: _, ...others } = now;
        const next = { ...others, [nameOf(sessionId, leafUid)]: position };
        return Object.fromEntries(Object.entries(next).slice(-kept));
      });
    },
    [setPositions],
  );
  const recall = (sessionId: string, leafUid: string) => find(positions, sessionId, leafUid);
  return { remember, recall };
}

/** The place where a path was left; undefined where that is not remembered. */
export function recallPosition(sessionId: string, leafUid: string): Position | undefined {
  return find(readWindowState(stateName, none), sessionId, leafUid);
}

function find(positions: Positions, sessionId: string, leafUid: string): Position | undefined {
  const position = positions[nameOf(sessionId, leafUid)];
  return typeof position?.index === "number" && typeof position.offset === "number"
    ? position
    : undefined;
}

const nameOf = (sessionId: string, leafUid: string) => `${sessionId} ${leafUid}`;
