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
import { type Action, actionEntries } from "@/actions/action";
import { originalActions } from "@/actions/original-actions";
import type { MenuEntry } from "@/components/menu/menu-entry";
import type { Session } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";

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

/** Returns the actions on one session or on several: those of the menu, the bar, the palette and the keys. */
export function sessionActions(
  sessions: readonly Session[],
  inTrash: boolean,
  on: SessionMenuActions,
): Action<readonly Session[]>[] {
  const pinned = isPinned(sessions);
  const archived = isArchived(sessions);
  const isLive = () => !inTrash;
  return [
    {
      name: "rename",
      icon: Pencil,
      isOffered: (sessions) => !inTrash && sessions.length === 1,
      run: on.rename,
    },
    {
      name: "pin",
      icon: pinned ? PinOff : Pin,
      title: () => (pinned ? t("Unpin") : t("Pin")),
      isOffered: isLive,
      run: on.pin,
    },
    {
      name: "archive",
      icon: archived ? ArchiveRestore : Archive,
      title: () => (archived ? t("Remove from archive") : t("Archive")),
      isOffered: isLive,
      run: on.archive,
    },
    ...originalActions,
    { name: "export-sessions", icon: Download, isOffered: isLive, run: on.export },
    { name: "trash", icon: Trash2, isOffered: isLive, run: on.trash },
    { name: "restore", icon: RotateCcw, isOffered: () => inTrash, run: on.restore },
    { name: "purge", icon: Trash2, danger: true, isOffered: () => inTrash, run: on.purge },
  ];
}

/** The menu of one session or of several; more are entries outside of the trash. */
export function sessionMenu(
  sessions: readonly Session[],
  inTrash: boolean,
  on: SessionMenuActions,
  more: readonly MenuEntry[] = [],
): MenuEntry[] {
  const [first] = sessions;
  if (!first) return [];
  const one = sessions.length === 1;
  const actions = sessionActions(sessions, inTrash, on);
  const isLast = ({ name }: Action<readonly Session[]>) => name === "trash" || name === "purge";
  return [
    one
      ? { title: t("Open"), keys: "Enter", icon: CornerDownRight, onSelect: on.open }
      : { title: formatPlural(sessions.length, "session"), heading: true },
    ...actionEntries(
      actions.filter((action) => !isLast(action)),
      sessions,
    ),
    ...(inTrash ? [] : more),
    ...(one && !inTrash ? relatedEntries(first, on) : []),
    "separator",
    ...actionEntries(actions.filter(isLast), sessions),
  ];
}

/** What leads from a session to others. */
function relatedEntries(session: Session, on: SessionMenuActions): MenuEntry[] {
  const entries: MenuEntry[] = [
    "separator",
    { title: t("Show subagents"), icon: ListTree, onSelect: on.showChildren },
  ];
  if (session.parentId)
    entries.push({
      title: commandSpec("open-parent-session").title,
      icon: CornerDownRight,
      onSelect: on.openParent,
    });
  if (session.workspacePath)
    entries.push({
      title: t("Only this workspace"),
      detail: session.workspacePath,
      icon: FolderOpen,
      onSelect: on.filterWorkspace,
    });
  return [...entries, { title: t("Copy session id"), icon: Copy, onSelect: on.copyID }];
}
