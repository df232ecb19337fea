// The actions on sessions. A reversible action runs at once and offers Undo.

import { toastError, toastUndo } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { plural, t } from "@/lib/i18n/i18n";

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

/** Moves sessions to the trash. */
export const trash = (ids: string[]) =>
  reversible(
    plural(ids.length, "Moved {{count}} session to trash", "Moved {{count}} sessions to trash"),
    t("Could not move the sessions to the trash"),
    () => api.trashSessions(ids),
    () => api.restoreSessions(ids),
  );

/** Restores sessions from the trash. */
export const restore = (ids: string[]) =>
  reversible(
    plural(ids.length, "Restored {{count}} session", "Restored {{count}} sessions"),
    t("Could not restore the sessions"),
    () => api.restoreSessions(ids),
    () => api.trashSessions(ids),
  );

/** Moves sessions into the archive or out of it. */
export const archive = (ids: string[], archived: boolean) =>
  reversible(
    archived
      ? plural(ids.length, "Archived {{count}} session", "Archived {{count}} sessions")
      : plural(
          ids.length,
          "Removed from archive: {{count}} session",
          "Removed from archive: {{count}} sessions",
        ),
    t("Could not change the archive"),
    () => api.archiveSessions(ids, archived),
    () => api.archiveSessions(ids, !archived),
  );

/** Pins or unpins. The list shows it, so there is no toast. */
export async function pin(ids: string[], pinned: boolean): Promise<void> {
  try {
    await api.pinSessions(ids, pinned);
  } catch (reason) {
    toastError(t("Could not pin the sessions"), reason);
  }
}

/** Adds a tag to sessions, or removes it. */
export async function tag(ids: string[], name: string, remove: boolean): Promise<void> {
  let changed: string[] = [];
  await reversible(
    remove ? t("Removed tag “{{tag}}”", { tag: name }) : t("Added tag “{{tag}}”", { tag: name }),
    t("Could not change the tags"),
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
    toastError(t("Could not rename the tag"), reason);
  }
}

/** Sets the color of a tag; an empty one removes it. */
export async function colorTag(name: string, color: string): Promise<void> {
  try {
    await api.colorTag(name, color);
  } catch (reason) {
    toastError(t("Could not set the color of the tag"), reason);
  }
}

/** Renames a session. */
export async function rename(id: string, before: string, title: string): Promise<void> {
  const next = title.trim();
  if (next === "" || next === before) return;
  await reversible(
    t("Renamed to “{{title}}”", { title: next.length > 60 ? `${next.slice(0, 60)}…` : next }),
    t("Could not rename the session"),
    () => api.renameSession(id, next),
    () => api.renameSession(id, before),
  );
}
