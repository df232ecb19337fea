import {
  Archive,
  ArchiveRestore,
  Copy,
  CornerDownRight,
  Download,
  FolderOpen,
  ListTree,
  Pencil,
  Pin,
  PinOff,
  RotateCcw,
  Trash2,
} from "lucide-react";
import type { MenuEntry } from "@/components/menu-entry";
import type { Session } from "@/lib/api";
import { formatPlural } from "@/lib/format";

/** What the menu, the bar and the keys do with the selected sessions. */
export interface SessionMenuActions {
  open: () => void;
  rename: () => void;
  pin: () => void;
  archive: () => void;
  export: () => void;
  trash: () => void;
  restore: () => void;
  purge: () => void;
  showChildren: () => void;
  openParent: () => void;
  filterWorkspace: () => void;
  copyID: () => void;
}

/** Reports whether all of them are pinned, so that the action is to unpin. */
export function isPinned(sessions: readonly Session[]): boolean {
  return sessions.length > 0 && sessions.every(({ pinnedAtMs }) => pinnedAtMs > 0);
}

/** Reports whether all of them are in the archive, so that the action is to restore them. */
export function isArchived(sessions: readonly Session[]): boolean {
  return sessions.length > 0 && sessions.every(({ archivedAtMs }) => archivedAtMs > 0);
}

/** The menu of one session or of several. */
export function sessionMenu(
  sessions: readonly Session[],
  inTrash: boolean,
  actions: SessionMenuActions,
): MenuEntry[] {
  const [first] = sessions;
  if (!first) return [];
  const one = sessions.length === 1;
  const pinned = isPinned(sessions);
  const archived = isArchived(sessions);
  const entries: MenuEntry[] = one
    ? []
    : [{ title: formatPlural(sessions.length, "session"), heading: true }];
  if (one)
    entries.push({ title: "Open", keys: "Enter", icon: CornerDownRight, onSelect: actions.open });
  if (inTrash) {
    entries.push({ title: "Restore", icon: RotateCcw, onSelect: actions.restore }, "separator", {
      title: "Delete for good…",
      keys: "Delete",
      icon: Trash2,
      danger: true,
      onSelect: actions.purge,
    });
    return entries;
  }
  if (one) entries.push({ title: "Rename", keys: "F2", icon: Pencil, onSelect: actions.rename });
  entries.push(
    pinned
      ? { title: "Unpin", keys: "Mod+D", icon: PinOff, onSelect: actions.pin }
      : { title: "Pin", keys: "Mod+D", icon: Pin, onSelect: actions.pin },
    archived
      ? {
          title: "Take out of the archive",
          keys: "Mod+Shift+A",
          icon: ArchiveRestore,
          onSelect: actions.archive,
        }
      : { title: "Archive", keys: "Mod+Shift+A", icon: Archive, onSelect: actions.archive },
    { title: "Export…", icon: Download, keys: "Mod+Shift+E", onSelect: actions.export },
  );
  if (one) {
    entries.push("separator", {
      title: "Show its subagents",
      icon: ListTree,
      onSelect: actions.showChildren,
    });
    if (first.parentId)
      entries.push({
        title: "Open the session it belongs to",
        icon: CornerDownRight,
        onSelect: actions.openParent,
      });
    if (first.workspacePath)
      entries.push({
        title: "Only this workspace",
        detail: first.workspacePath,
        icon: FolderOpen,
        onSelect: actions.filterWorkspace,
      });
    entries.push({ title: "Copy its id", icon: Copy, onSelect: actions.copyID });
  }
  entries.push("separator", {
    title: "Move to the trash",
    keys: "Delete",
    icon: Trash2,
    onSelect: actions.trash,
  });
  return entries;
}
