import type { MenuEntry } from "@/components/menu-entry";
import { int } from "../layout/columns";
import { allButPath, type Folds } from "../layout/folds";
import {
  closeChain,
  isExpanded,
  type OutlineModel,
  openChain,
  setFold,
} from "../layout/outline-model";
import type { TurnActions } from "./turn-actions";

interface TurnMenuParts {
  model: OutlineModel;
  head: number;
  actions: TurnActions;
  /** It begins with what a person said, as far as it is known. */
  isPrompt: boolean;
  onLabel: () => void;
  /** The turn below which the tree is shown; -1 for all of it. */
  root: number;
  onHoist: (turn: number) => void;
  /** What tends the turn. */
  tendingEntries: (turn: number) => MenuEntry[];
  onFolds: (folds: Folds) => void;
}

/** The menu of a turn, wherever it is shown. */
export function turnMenu(
  turn: number,
  {
    head,
    actions,
    isPrompt,
    onLabel,
    root,
    onHoist,
    tendingEntries,
  }: Omit<TurnMenuParts, "model" | "onFolds">,
): MenuEntry[] {
  return [
    { title: "View", keys: "Enter", onSelect: () => actions.view(turn) },
    {
      title: "Branch from here",
      keys: "Mod+Enter",
      disabled: turn === head,
      onSelect: () => actions.continueFrom(turn),
    },
    {
      title: "Edit and resend…",
      disabled: !isPrompt,
      onSelect: () => actions.anew(turn, "edit"),
    },
    { title: "Regenerate", onSelect: () => actions.anew(turn, "regenerate") },
    {
      title: "Regenerate with another model…",
      onSelect: () => actions.anew(turn, "regenerate-with"),
    },
    {
      title: "Compare with the path on screen",
      keys: "D",
      onSelect: () => actions.compare(turn),
    },
    "separator",
    { title: "Label…", keys: "L", onSelect: onLabel },
    { title: "Copy text", onSelect: () => actions.copy(turn) },
    {
      title: turn === root ? "Show the whole tree" : "Show only what is below",
      keys: "H",
      onSelect: () => onHoist(turn),
    },
    "separator",
    ...tendingEntries(turn),
  ];
}

/** The menu of a folded chain. */
function chainMenu(row: number, { model, onFolds }: TurnMenuParts): MenuEntry[] {
  return [
    { title: "Unfold", keys: "ArrowRight", onSelect: () => onFolds(openChain(model, row)) },
    foldOthers(onFolds),
  ];
}

/** The menu of a row of the outline. */
export function rowMenu(row: number, parts: TurnMenuParts): MenuEntry[] {
  const { rows } = parts.model;
  if (int(rows.chain, row) > 0) return chainMenu(row, parts);
  const turn = int(rows.turn, row);
  return [...turnMenu(turn, parts), "separator", ...foldEntries(turn, parts)];
}

function foldEntries(turn: number, { model, onFolds }: TurnMenuParts): MenuEntry[] {
  const expanded = isExpanded(model, turn);
  const chain = closeChain(model, turn);
  return [
    expanded === true && {
      title: "Fold",
      keys: "ArrowLeft",
      onSelect: () => onFolds(setFold(model, turn, true)),
    },
    expanded === false && {
      title: "Unfold",
      keys: "ArrowRight",
      onSelect: () => onFolds(setFold(model, turn, false)),
    },
    chain && { title: "Fold the turns around it", onSelect: () => onFolds(chain) },
    foldOthers(onFolds),
  ].filter((entry) => typeof entry === "object");
}

function foldOthers(onFolds: (folds: Folds) => void): MenuEntry {
  return { title: "Fold all but the path", onSelect: () => onFolds(allButPath()) };
}
