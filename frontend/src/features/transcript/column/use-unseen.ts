import { useCallback, useEffect, useRef, useState } from "react";

/** What is new is taken for low until it is drawn: so long the end may be in view by mistake. */
const settleMs = 250;

interface Shown {
  leafUid: string;
  headUid: string;
  length: number | undefined;
  isReady: boolean;
  /** The end of the path is in view. */
  atEnd: boolean;
  /** The message of a row; undefined where it is not loaded. */
  uidAt: (index: number) => string | undefined;
}

/**
 * From which row on the path to the head has grown below what is in view: another tool writes there, or another window. Undefined
 * where nothing has, or its end was in view since.
 */
export function useUnseen({ leafUid, headUid, length, isReady, atEnd, uidAt }: Shown) {
  const before = useRef<{ leafUid: string; headUid: string; length: number } | undefined>(
    undefined,
  );
  const [from, setFrom] = useState<number>();
  useEffect(() => {
    if (length === undefined || !isReady) return;
    const old = before.current;
    before.current = { leafUid, headUid, length };
    if (!old || old.leafUid === leafUid) return;
    const isHead = old.leafUid === old.headUid && leafUid === headUid;
    // What is not loaded is far from what is read; that it may be another branch is rare there.
    const goesOn = (uidAt(old.length - 1) ?? old.leafUid) === old.leafUid;
    setFrom(isHead && goesOn && length > old.length ? (at) => at ?? old.length : undefined);
  });
  useEffect(() => {
    if (!atEnd || from === undefined) return;
    const timer = setTimeout(() => setFrom(undefined), settleMs);
    return () => clearTimeout(timer);
  }, [atEnd, from]);
  return {
    from: atEnd ? undefined : from,
    forget: useCallback(() => setFrom(undefined), []),
  };
}
