import { type RefObject, useState } from "react";
import { useHeight } from "./use-height";
import { useHover } from "./use-hover";

/** A turn, and a height of the pane at which something about it is shown. */
interface TurnAt {
  turn: number;
  top: number;
}

/** What floats above the tree: the preview of the turn under the pointer, and the field of a label. */
export function useFloats(pane: RefObject<HTMLDivElement | null>, barHeight: number) {
  const [hover, setHover] = useHover();
  const [labelling, setLabelling] = useState<TurnAt>();
  const room = useHeight(pane, hover !== null || labelling !== undefined);
  return {
    hover,
    labelling,
    /** The height of the pane. */
    room,
    onHover: (at: TurnAt | null) => setHover(at && { ...at, top: barHeight + at.top }),
    /** Opens the field below a row at that height of the tree. */
    startLabel: (turn: number, top: number) => {
      setHover(null);
      setLabelling({ turn, top: barHeight + top + 28 });
    },
    stopLabel: () => setLabelling(undefined),
  };
}

export type Floats = ReturnType<typeof useFloats>;
