import { Plus } from "lucide-react";
import type { MenuEntry } from "@/components/menu/menu-entry";
import type { Session, Tag } from "@/lib/api/api";
import { colorName, labelColors } from "@/lib/format/color";
import { formatCount } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

export interface TagActions {
  /** Adds the tag to all of the sessions, or removes it. */
  tag: (tag: string, remove: boolean) => void;
  /** Asks for the name of a new tag. */
  newTag: () => void;
  renameTag: (tag: string) => void;
  colorTag: (tag: string, color: string) => void;
}

/** The number of tags in a menu. */
const shownTags = 40;

/** The entries of a menu with the tags of sessions: a tag that all of them have is checked. */
export function tagEntries(
  sessions: readonly Session[],
  tags: readonly Tag[],
  on: TagActions,
): MenuEntry[] {
  const entries: MenuEntry[] = tags.slice(0, shownTags).map(({ name, count }) => {
    const all = sessions.length > 0 && sessions.every((session) => session.tags?.includes(name));
    return {
      title: name,
      note: formatCount(count),
      checked: all,
      stay: true,
      onSelect: () => on.tag(name, all),
    };
  });
  if (entries.length > 0) entries.push("separator");
  entries.push({ title: t("New tag…"), icon: Plus, onSelect: on.newTag });
  if (tags.length > 0)
    entries.push({
      title: t("Edit tags"),
      entries: tags.slice(0, shownTags).map((tag) => ({
        title: tag.name,
        entries: [
          { title: t("Rename…"), onSelect: () => on.renameTag(tag.name) },
          "separator",
          ...["", ...labelColors].map((color) => ({
            title: colorName(color),
            checked: tag.color === color,
            onSelect: () => on.colorTag(tag.name, color),
          })),
        ],
      })),
    });
  return entries;
}
