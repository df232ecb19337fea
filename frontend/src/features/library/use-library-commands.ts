import type { Facets, Session } from "@/lib/api";
import { type CommandName, useCommand } from "@/lib/commands";
import type { LibraryFilter, Shelf } from "./filters";
import { isArchived, isPinned, type SessionMenuActions } from "./session-menu";

interface LibraryCommands {
  filter: LibraryFilter;
  selected: readonly Session[];
  actions: SessionMenuActions;
  inTrash: boolean;
  facets: Facets | undefined;
  change: (part: Partial<LibraryFilter>) => void;
  selectAll: () => Promise<void>;
  emptyTrash: () => void;
}

/** Registers what the library can do with the selected sessions and with itself. */
export function useLibraryCommands(library: LibraryCommands): void {
  const { selected, actions, inTrash, facets } = library;
  const some = selected.length > 0;
  const live = some && !inTrash;
  const pinned = isPinned(selected);
  const archived = isArchived(selected);
  useCommand("rename", actions.rename, {
    enabled: live && selected.length === 1,
  });
  useCommand("pin", actions.pin, {
    title: pinned ? "Unpin" : "Pin",
    enabled: live,
  });
  useCommand("archive", actions.archive, {
    title: archived ? "Take out of the archive" : "Archive",
    enabled: live,
  });
  useCommand("export-sessions", actions.export, {
    enabled: live,
  });
  useCommand("trash", actions.trash, {
    enabled: live,
  });
  useCommand("restore", actions.restore, {
    enabled: some && inTrash,
  });
  useCommand("purge", actions.purge, {
    enabled: some && inTrash,
  });
  useCommand("empty-trash", library.emptyTrash, {
    enabled: (facets?.trash ?? 0) > 0,
  });
  useCommand("select-all", () => void library.selectAll());
  useShelf(library, "show-all", "all", "Show all sessions");
  useShelf(library, "show-unfinished", "unfinished", "Show unfinished sessions");
  useShelf(library, "show-pinned", "pinned", "Show pinned sessions");
  useShelf(library, "show-archived", "archived", "Show the archive");
  useShelf(library, "show-trash", "trash", "Show the trash");
}

function useShelf({ change }: LibraryCommands, name: CommandName, shelf: Shelf, title: string) {
  useCommand(name, () => change({ shelf, parent: null }), { title });
}
