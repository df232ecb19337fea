import type { MenuEntry } from "@/components/menu/menu-entry";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";
import { int } from "../layout/columns";
import type { Folds } from "../layout/folds";
import {
  closeChain,
  foldOthers,
  isExpanded,
  type OutlineModel,
  openChain,
  setFold,
} from "../layout/outline-model";

interface RowMenuParts {
  model: OutlineModel;
  /** The menu of a turn. */
  turnMenu: (turn: number) => MenuEntry[];
  onFolds: (folds: Folds) => void;
}

/** Returns the menu of a row of the outline. */
export function rowMenu(row: number, parts: RowMenuParts): MenuEntry[] {
  const { rows } = parts.model;
  if (int(rows.chain, row) > 0) return chainMenu(row, parts);
  const turn = int(rows.turn, row);
  return [...parts.turnMenu(turn), "separator", ...foldEntries(turn, parts)];
}

/** The menu of a folded chain. */
function chainMenu(row: number, { model, onFolds }: RowMenuParts): MenuEntry[] {
  return [
    { title: t("Unfold"), keys: "ArrowRight", onSelect: () => onFolds(openChain(model, row)) },
    foldOthersEntry(model, onFolds),
  ];
}

function foldEntries(turn: number, { model, onFolds }: RowMenuParts): MenuEntry[] {
  const expanded = isExpanded(model, turn);
  const chain = closeChain(model, turn);
  return [
    expanded === true && {
      title: t("Fold"),
      keys: "ArrowLeft",
      onSelect: () => onFolds(setFold(model, turn, true)),
    },
    expanded === false && {
      title: t("Unfold"),
      keys: "ArrowRight",
      onSelect: () => onFolds(setFold(model, turn, false)),
    },
    chain && { title: t("Fold the turns around it"), onSelect: () => onFolds(chain) },
    foldOthersEntry(model, onFolds),
  ].filter((entry) => typeof entry === "object");
}

function foldOthersEntry(model: OutlineModel, onFolds: (folds: Folds) => void): MenuEntry {
  const { title } = commandSpec("fold-others");
  return { title, onSelect: () => onFolds(foldOthers(model)) };
}
