import type { RefObject } from "react";
import type { Session } from "@/lib/api/api";
import type { ColumnView } from "../column/use-column";
import type { Folds } from "../path/folds";
import type { PathTurns } from "../path/path-turns";
import type { Path } from "../path/use-path";
import type { MessageActions } from "../scope";

/** A path on screen, and the row that the user is at. */
export interface Reading {
  session: Session;
  leafUid: string;
  path: Path;
  view: ColumnView;
  folds: Folds;
  actions: MessageActions;
  /** The row that Tab reaches, and that keys start from. */
  tabStop: number;
  scroller: RefObject<HTMLElement | null>;
  setCurrent: (index: number) => void;
  /** Where its turns begin; undefined until that is loaded. */
  turns: PathTurns | undefined;
}
