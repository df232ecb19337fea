// The actions on sessions. A reversible action runs at once and offers Undo.

import { toastError, toastUndo } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";

async function reversible(
  done: string,
  failed: string,
  run: () => Promise<void>,
  revert: () => Promise<void>,
): Promise<boolean> {
  try {
    await run();
  } catch (reason) {
    toastError(failed, reason);
    return false;
  }
  toastUndo(done, revert);
  return true;
}

const sessions = (ids: readonly string[]) => formatPlural(ids.length, "session");

/** Moves sessions to the trash. */
export const trash = (ids: string[]) =>
  reversible(
    `Moved ${sessions(ids)} to trash`,
    "Could not move the sessions to the trash",
    () => api.trashSessions(ids),
    () => api.restoreSessions(ids),
  );

/** Restores sessions from the trash. */
export const restore = (ids: string[]) =>
  reversible(
    `Restored ${sessions(ids)}`,
    "Could not restore the sessions",
    () => api.restoreSessions(ids),
    () => api.trashSessions(ids),
  );

/** Moves sessions into the archive or out of it. */
export const archive = (ids: string[], archived: boolean) =>
  reversible(
    `${archived ? "Archived" : "Removed from archive:"} ${sessions(ids)}`,
    "Could not change the archive",
    () => api.archiveSessions(ids, archived),
    () => api.archiveSessions(ids, !archived),
  );

/** Pins or unpins. The list shows it, so there is no toast. */
export async function pin(ids: string[], pinned: boolean): Promise<void> {
  try {
    await api.pinSessions(ids, pinned);
  } catch (reason) {
    toastError("Could not pin the sessions", reason);
  }
}

/** Adds a tag to sessions, or removes it. */
export async function tag(ids: string[], name: string, remove: boolean): Promise<void> {
  let changed: string[] = [];
  await reversible(
    `${remove ? "Removed tag" : "Added tag"} “${name}”`,
    "Could not change the tags",
    async () => {
      changed = await api.tagSessions(ids, name, remove);
    },
    async () => {
      await api.tagSessions(changed, name, !remove);
    },
  );
}

/** Renames a tag in every session. If the new name exists already, both tags become one. */
export async function renameTag(from: string, to: string): Promise<void> {
  if (from === to) return;
  try {
    await api.renameTag(from, to);
  } catch (reason) {
    toastError("Could not rename the tag", reason);
  }
}

/** Sets the color of a tag; an empty one removes it. */
export async function colorTag(name: string, color: string): Promise<void> {
  try {
    await api.colorTag(name, color);
  } catch (reason) {
    toastError("Could not set the color of the tag", reason);
  }
}

/** Renames a session. */
export async function rename(id: string, before: string, title: string): Promise<void> {
  const next = title.trim();
  if (next === "" || next === before) return;
  await reversible(
    `Renamed to “${next.length > 60 ? `${next.slice(0, 60)}…` : next}”`,
    "Could not rename the session",
    () => api.renameSession(id, next),
    () => api.renameSession(id, before),
  );
}
