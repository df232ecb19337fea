import { Bookmark, Star, Trash2, Waypoints } from "lucide-react";
import { Tooltip } from "@/components/text/tooltip";
import { labelColor } from "@/lib/format/color";
import { t } from "@/lib/i18n/i18n";
import type { Tree } from "@/lib/tree/skeleton";
import { byte } from "../layout/columns";

/** The label of a turn, in its color. */
export function LabelChip({ tree, turn }: { tree: Tree; turn: number }) {
  const label = tree.labels.get(turn);
  if (!label) return null;
  const color = labelColor(tree.colors.get(turn));
  return (
    <span className="ms-2 flex max-w-[40%] min-w-0 flex-none items-center gap-1 rounded-full border border-border bg-surface px-[7px] text-xs text-text-2">
      {color && (
        <span
          aria-hidden="true"
          className="size-[7px] flex-none rounded-full"
          style={{ background: color }}
        />
      )}
      <span className="truncate" dir="auto">
        {label}
      </span>
    </span>
  );
}

/** The marks of a turn: bookmarked, end of the main path, in the trash. */
export function TurnMarks({
  tree,
  turn,
  isLinked,
}: {
  tree: Tree;
  turn: number;
  isLinked: boolean;
}) {
  return (
    <span aria-hidden="true" className="flex flex-none items-center [&>*]:ms-1.5 empty:hidden">
      {turn === tree.mainTurn && (
        <Tooltip text={t("The main path ends here")}>
          <Star size={13} className="fill-current text-accent" />
        </Tooltip>
      )}
      {tree.bookmarks.has(turn) && (
        <Tooltip text={t("Bookmarked")}>
          <Bookmark size={13} className="fill-current text-you" />
        </Tooltip>
      )}
      {isLinked && (
        <Tooltip text={t("Linked with another session")}>
          <Waypoints size={13} className="text-text-3" />
        </Tooltip>
      )}
      {byte(tree.inTrash, turn) === 1 && (
        <Tooltip text={t("In the trash")}>
          <Trash2 size={13} className="text-text-3" />
        </Tooltip>
      )}
    </span>
  );
}

/** The marks of a turn in words, for its name. */
export function markWords(tree: Tree, turn: number): string[] {
  return [
    tree.bookmarks.has(turn) ? t("bookmarked") : "",
    turn === tree.mainTurn ? t("end of the main path") : "",
    byte(tree.inTrash, turn) === 1 ? t("in the trash") : "",
  ].filter(Boolean);
}
