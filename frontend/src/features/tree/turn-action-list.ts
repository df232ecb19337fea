import { type Action, actionEntries } from "@/actions/action";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { colorName, labelColors } from "@/lib/format/color";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";
import type { CopiedTurn } from "@/lib/store/graft-source";
import type { Tree } from "@/lib/tree/skeleton";
import { byte } from "./layout/columns";
import type { Tending } from "./tending/tending";
import type { TurnActions } from "./turn/turn-actions";

/** What an action of the tree acts on. */
interface TurnTarget {
  turn: number;
  /** The marked turns if there are any; otherwise the turn. */
  turns: readonly number[];
}

/** What the actions on turns are made of. */
export interface TurnScene {
  tree: Tree;
  actions: TurnActions;
  tending: Tending;
  copied: CopiedTurn | undefined;
  /** The turn below which the tree is shown; -1 for all of it. */
  root: number;
  onHoist: (turn: number) => void;
  onLabel: (turn: number) => void;
  /** Called when marked turns were moved to the trash. */
  onTrashed: () => void;
}

type TurnAction = Action<TurnTarget>;

/** Reading, answering and labelling a turn. */
function readingActions(scene: TurnScene): (TurnAction | "separator")[] {
  const { tree, actions, root, onHoist, onLabel } = scene;
  const isLive = ({ turn }: TurnTarget) => !byte(tree.inTrash, turn);
  return [
    { name: "view-turn", run: ({ turn }) => actions.view(turn) },
    {
      name: "continue-turn",
      isEnabled: ({ turn }) => turn !== tree.headTurn,
      run: ({ turn }) => actions.branchFrom(turn),
    },
    { name: "edit-message", isKeyless: true, run: ({ turn }) => actions.addSibling(turn, "edit") },
    {
      name: "regenerate",
      isKeyless: true,
      run: ({ turn }) => actions.addSibling(turn, "regenerate"),
    },
    {
      name: "regenerate-with",
      isKeyless: true,
      run: ({ turn }) => actions.addSibling(turn, "regenerate-with"),
    },
    { name: "compare-turn", title: compareTitle, run: (target) => compareTurns(actions, target) },
    { name: "quote-turn", isEnabled: isLive, run: ({ turn }) => actions.quote(turn) },
    "separator",
    { name: "label-turn", isEnabled: isLive, run: ({ turn }) => onLabel(turn) },
    { name: "copy-turn", run: ({ turn }) => actions.copy(turn) },
    {
      name: "hoist",
      title: ({ turn }) => (turn === root ? t("Show whole tree") : t("Show only what is below")),
      run: ({ turn }) => onHoist(turn),
    },
  ];
}

/** Two marked turns are compared with each other, any other turn with the path on screen. */
function compareTurns(actions: TurnActions, { turn, turns }: TurnTarget): void {
  const [left, right] = turns;
  if (turns.length === 2 && left !== undefined && right !== undefined)
    actions.comparePair(left, right);
  else actions.compare(turn);
}

function compareTitle({ turns }: TurnTarget): string {
  return turns.length === 2 ? t("Compare both marked turns") : commandSpec("compare-turn").title;
}

function markingActions({ tree, tending }: TurnScene): TurnAction[] {
  const isLive = ({ turn }: TurnTarget) => !byte(tree.inTrash, turn);
  return [
    {
      name: "bookmark",
      title: ({ turns }) =>
        turns.every((one) => tree.bookmarks.has(one)) ? t("Remove bookmark") : t("Bookmark"),
      isOffered: isLive,
      run: ({ turns }) => tending.bookmark(turns),
    },
    {
      name: "set-main",
      title: ({ turn }) =>
        turn === tree.mainTurn ? t("Unmark main path") : t("Mark path as main"),
      isOffered: isLive,
      run: ({ turn }) => tending.setMain(turn),
    },
  ];
}

function graftActions({ tree, tending, copied }: TurnScene): TurnAction[] {
  const isLive = ({ turn }: TurnTarget) => !byte(tree.inTrash, turn);
  return [
    { name: "copy-branch", isOffered: isLive, run: ({ turn }) => tending.copy(turn, "below") },
    { name: "copy-path", isOffered: isLive, run: ({ turn }) => tending.copy(turn, "path") },
    {
      name: "paste-graft",
      title: () =>
        copied ? t("Copy {{name}} here", { name: copied.name }) : t("Copy what was chosen here"),
      isOffered: (target) => copied !== undefined && isLive(target),
      run: ({ turn }) => copied && tending.graft(copied, turn),
    },
    { name: "split", isOffered: isLive, run: ({ turn }) => tending.split(turn) },
  ];
}

function trashActions({ tree, tending, onTrashed }: TurnScene): TurnAction[] {
  const inTrash = ({ turn }: TurnTarget) => byte(tree.inTrash, turn) === 1;
  const isLive = (target: TurnTarget) => !inTrash(target);
  return [
    { name: "keep-path", isOffered: isLive, run: ({ turn }) => tending.keepOnly(turn) },
    {
      name: "trash-alternatives",
      isOffered: isLive,
      run: ({ turn }) => tending.trashAlternatives(turn),
    },
    {
      name: "trash-turns",
      isOffered: isLive,
      run: ({ turns }) => {
        tending.trash(turns);
        onTrashed();
      },
    },
    { name: "restore-turn", isOffered: inTrash, run: ({ turn }) => tending.restore(turn) },
  ];
}

/** Returns all actions on a turn, for the palette, the native menu and the keyboard. */
export function turnActionList(scene: TurnScene): (TurnAction | "separator")[] {
  return [
    ...readingActions(scene),
    ...markingActions(scene),
    ...graftActions(scene),
    ...trashActions(scene),
  ];
}

/** Returns the menu of a turn, wherever it is shown. Only turns that begin with a prompt can be edited. */
export function turnMenu(turn: number, scene: TurnScene, isPrompt: boolean): MenuEntry[] {
  const target = { turn, turns: [turn] };
  const reading = readingActions(scene).map((action) =>
    action !== "separator" && action.name === "edit-message"
      ? { ...action, isEnabled: () => isPrompt }
      : action,
  );
  const grafts = graftActions(scene);
  return [
    ...actionEntries([...reading, "separator", ...markingActions(scene)], target),
    ...colorEntries(turn, scene),
    ...actionEntries(["separator", ...grafts, "separator", ...trashActions(scene)], target),
  ];
}

function colorEntries(turn: number, { tree, tending }: TurnScene): MenuEntry[] {
  if (!tree.labels.has(turn) || byte(tree.inTrash, turn)) return [];
  return [
    {
      title: t("Color of label"),
      entries: ["", ...labelColors].map((color) => ({
        title: colorName(color),
        checked: (tree.colors.get(turn) ?? "") === color,
        onSelect: () => tending.color(turn, color),
      })),
    },
  ];
}
