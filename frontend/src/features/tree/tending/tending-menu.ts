import type { MenuEntry } from "@/components/menu-entry";
import type { CopiedTurn } from "@/lib/graft-source";
import type { Tree } from "@/lib/skeleton";
import { byte } from "../layout/columns";
import { colorName, labelColors } from "../turn/label-color";
import type { Tending } from "./tending";

interface TendingMenuParts {
  tree: Tree;
  tending: Tending;
  copied: CopiedTurn | undefined;
}

/** What can be done to tend a turn, as the lines of a menu. */
export function tendingMenu(
  turn: number,
  { tree, tending, copied }: TendingMenuParts,
): MenuEntry[] {
  if (byte(tree.inTrash, turn))
    return [{ title: "Take out of the trash", onSelect: () => tending.restore(turn) }];
  const entries: MenuEntry[] = [
    {
      title: tree.bookmarks.has(turn) ? "Remove the bookmark" : "Bookmark",
      keys: "B",
      onSelect: () => tending.bookmark([turn]),
    },
    {
      title: turn === tree.mainTurn ? "Main no more" : "Mark as main",
      keys: "M",
      onSelect: () => tending.setMain(turn),
    },
  ];
  if (tree.labels.has(turn))
    entries.push({
      title: "Colour of the label",
      entries: ["", ...labelColors].map((color) => ({
        title: colorName(color),
        checked: (tree.colors.get(turn) ?? "") === color,
        onSelect: () => tending.color(turn, color),
      })),
    });
  entries.push("separator", {
    title: "Copy as a graft",
    entries: [
      {
        title: "This turn and what follows",
        keys: "Mod+C",
        onSelect: () => tending.cut(turn, "below"),
      },
      { title: "The path to here", keys: "Mod+Shift+C", onSelect: () => tending.cut(turn, "path") },
    ],
  });
  if (copied)
    entries.push({
      title: `Paste ${copied.name} below`,
      keys: "Mod+V",
      onSelect: () => tending.graft(copied, turn),
    });
  entries.push(
    { title: "Split off as a session", onSelect: () => tending.split(turn) },
    "separator",
    { title: "Keep only this path", onSelect: () => tending.keepOnly(turn) },
    { title: "Alternatives to the trash", onSelect: () => tending.trashAlternatives(turn) },
    {
      title: "To the trash, with what follows",
      keys: "Delete",
      onSelect: () => tending.trash([turn]),
    },
  );
  return entries;
}
