import { copyText } from "@/actions/session-changes";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { type LibraryFilter, noFilter } from "./filters";
import { neighbour } from "./selection";
import { archive, pin, restore, trash } from "./session-actions";
import { isArchived, isPinned, type SessionMenuActions } from "./session-menu";

interface Scene {
  /** The sessions in the list, in its order. */
  order: readonly string[];
  openId: string;
  change: (part: Partial<LibraryFilter>) => void;
  onOpen: (id: string) => void;
  onEnter: () => void;
  onExport: (ids: string[]) => void;
  onRename: (id: string) => void;
  onPurge: (ids: string[]) => void;
  /** Selects the session that takes the position of those that left the list. */
  onNext: (id: string) => void;
}

/** Returns what can be done with given sessions. */
export function useSessionActions(scene: Scene) {
  const { order, openId, change, onOpen, onEnter } = scene;
  /** When sessions leave the list, the one in their position is selected, and opened if one of them was. */
  const leaving = async (ids: readonly string[], done: Promise<boolean>) => {
    const next = neighbour(order, ids);
    if (!(await done) || next === undefined) return;
    scene.onNext(next);
    if (ids.includes(openId)) onOpen(next);
  };
  return (selected: readonly Session[]): SessionMenuActions => {
    const ids = selected.map(({ id }) => id);
    const [first] = selected;
    return {
      open: () => {
        if (first) onOpen(first.id);
        onEnter();
      },
      rename: () => first && scene.onRename(first.id),
      pin: () => void pin(ids, !isPinned(selected)),
      archive: () => void archive(ids, !isArchived(selected)),
      export: () => scene.onExport(ids),
      trash: () => void leaving(ids, trash(ids)),
      restore: () => void leaving(ids, restore(ids)),
      purge: () => scene.onPurge(ids),
      showChildren: () =>
        first && change({ ...noFilter, parent: { id: first.id, title: first.title } }),
      openParent: () => first && onOpen(first.parentId),
      filterWorkspace: () => first && change({ workspace: first.workspacePath }),
      copyID: () => first && void copyText(first.id, t("Copied session id")),
    };
  };
}
