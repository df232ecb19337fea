import { useActions } from "@/actions/action";
import type { Facets, Session } from "@/lib/api/api";
import { useCommand, useOffers } from "@/lib/keys/commands";
import type { LibraryFilter, Shelf } from "./filters";
import { type SessionMenuActions, sessionActions } from "./session-menu";

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
  const target = selected.length > 0 ? selected : undefined;
  useActions(sessionActions(selected, inTrash, actions), () => target, { target });
  useCommand("empty-trash", library.emptyTrash, {
    enabled: (facets?.trash ?? 0) > 0,
  });
  useCommand("select-all", () => void library.selectAll());
  const show = (shelf: Shelf) => () => library.change({ shelf, parent: null });
  useOffers([
    { name: "show-all", run: show("all") },
    { name: "show-unfinished", run: show("unfinished") },
    { name: "show-pinned", run: show("pinned") },
    { name: "show-archived", run: show("archived") },
    { name: "show-trash", run: show("trash") },
  ]);
}
