// The outline's keys: what a press means where the cursor is. Nothing here changes anything.

import { commandFor } from "@/lib/keys/commands";
import type { KeyPress } from "@/lib/keys/keys";
import { parentOf } from "@/lib/tree/skeleton";
import { int } from "../layout/columns";
import type { Folds } from "../layout/folds";
import {
  closeChain,
  isBranchPoint,
  isExpanded,
  type OutlineModel,
  openChain,
  ownerOf,
  rowFor,
  setFold,
} from "../layout/outline-model";
import { siblingsOf } from "../layout/strands";
import { type TurnKey, turnKey } from "../turn/turn-key";

/** What a key asks for. `go` and `reveal` move the cursor; a revealed turn may be folded away as yet. */
type OutlineAction =
  | { do: "go" | "reveal" | "child" | TurnKey; turn: number }
  | { do: "fold"; folds: Folds };

/** The action of a key press with the cursor on a row; undefined where the outline has no use for it. `page` is the number of rows in sight. */
export function outlineKey(
  press: KeyPress,
  model: OutlineModel,
  row: number,
  page: number,
): OutlineAction | undefined {
  if (row < 0 || press.shiftKey) return undefined;
  const turn = int(model.rows.turn, row);
  const command = int(model.rows.chain, row) > 0 ? undefined : turnKey(press);
  if (command) return { do: command, turn };
  const control = press.ctrlKey || press.metaKey;
  if (press.altKey) return control ? undefined : kinKey(press.key, model, row);
  if (control) return jumpKey(press.key, model, row);
  return rowKey(press.key, model, row, page) ?? foldKey(press.key, model, row);
}

/** The turns that a key marks: that of the row (Space, which also takes the mark away), or it and the one that the cursor goes to (Shift and an arrow). */
export function markKey(
  press: KeyPress,
  { rows }: OutlineModel,
  row: number,
): number[] | undefined {
  if (row < 0 || press.ctrlKey || press.metaKey || press.altKey) return undefined;
  const isTurn = (at: number) => at >= 0 && at < rows.count && int(rows.chain, at) === 0;
  if (commandFor(press, "turns") === "mark-turn")
    return isTurn(row) ? [int(rows.turn, row)] : undefined;
  const step = { ArrowDown: 1, ArrowUp: -1 }[press.key];
  if (!press.shiftKey || step === undefined || !isTurn(row) || !isTurn(row + step))
    return undefined;
  return [int(rows.turn, row), int(rows.turn, row + step)];
}

function go({ rows }: OutlineModel, row: number): OutlineAction {
  return { do: "go", turn: int(rows.turn, Math.max(0, Math.min(rows.count - 1, row))) };
}

function rowKey(
  key: string,
  model: OutlineModel,
  row: number,
  page: number,
): OutlineAction | undefined {
  switch (key) {
    case "ArrowUp":
      return go(model, row - 1);
    case "ArrowDown":
      return go(model, row + 1);
    case "PageUp":
      return go(model, row - page);
    case "PageDown":
      return go(model, row + page);
    case "Home":
      return go(model, 0);
    case "End":
      return go(model, model.rows.count - 1);
    default:
      return undefined;
  }
}

function foldKey(key: string, model: OutlineModel, row: number): OutlineAction | undefined {
  const turn = int(model.rows.turn, row);
  const isChain = int(model.rows.chain, row) > 0;
  switch (key) {
    case "ArrowRight":
      return isChain ? { do: "fold", folds: openChain(model, row) } : unfoldOrEnter(model, row);
    case "ArrowLeft":
      return isChain ? leave(model, turn) : foldOrLeave(model, turn);
    case "Enter":
      return isChain ? { do: "fold", folds: openChain(model, row) } : undefined;
    default:
      return undefined;
  }
}

function unfoldOrEnter(model: OutlineModel, row: number): OutlineAction | undefined {
  const { rows } = model;
  const turn = int(rows.turn, row);
  const expanded = isExpanded(model, turn);
  if (expanded === false) return { do: "fold", folds: setFold(model, turn, false) };
  // The first of what follows is in the next row.
  return expanded && row + 1 < rows.count ? go(model, row + 1) : undefined;
}

function foldOrLeave(model: OutlineModel, turn: number): OutlineAction | undefined {
  if (isExpanded(model, turn)) return { do: "fold", folds: setFold(model, turn, true) };
  const folds = closeChain(model, turn);
  return folds ? { do: "fold", folds } : leave(model, turn);
}

function leave(model: OutlineModel, turn: number): OutlineAction | undefined {
  const owner = ownerOf(model, turn);
  return owner < 0 ? undefined : go(model, rowFor(model, owner));
}

// Alt: to a turn's relatives, wherever they are.
function kinKey(key: string, model: OutlineModel, row: number): OutlineAction | undefined {
  const { skeleton, strands, rows } = model;
  const turn = int(rows.turn, row);
  const reveal = (to: number | undefined): OutlineAction | undefined =>
    to === undefined || to < 0 ? undefined : { do: "reveal", turn: to };
  switch (key) {
    case "ArrowUp":
    case "ArrowDown": {
      const siblings = siblingsOf(skeleton, strands, turn);
      return reveal(siblings[siblings.indexOf(turn) + (key === "ArrowUp" ? -1 : 1)]);
    }
    case "ArrowLeft":
      return reveal(parentOf(skeleton, turn));
    case "ArrowRight":
      return { do: "child", turn };
    default:
      return undefined;
  }
}

// Ctrl: from branch point to branch point, folding or unfolding the one it leaves first.
function jumpKey(key: string, model: OutlineModel, row: number): OutlineAction | undefined {
  const turn = int(model.rows.turn, row);
  const expanded = isBranchPoint(model, row) ? isExpanded(model, turn) : undefined;
  switch (key) {
    case "Home":
      return go(model, 0);
    case "End":
      return go(model, model.rows.count - 1);
    case "ArrowLeft":
      return expanded === true
        ? { do: "fold", folds: setFold(model, turn, true) }
        : toBranchPoint(model, row, -1);
    case "ArrowRight":
      return expanded === false
        ? { do: "fold", folds: setFold(model, turn, false) }
        : toBranchPoint(model, row, 1);
    default:
      return undefined;
  }
}

function toBranchPoint(model: OutlineModel, row: number, step: 1 | -1): OutlineAction | undefined {
  for (let at = row + step; at >= 0 && at < model.rows.count; at += step)
    if (isBranchPoint(model, at)) return go(model, at);
  return undefined;
}
