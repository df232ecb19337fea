import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** The library's file and its backups, even if it cannot be opened. */
export function useLibraryState() {
  return useQuery({ queryKey: keys.libraryState(), queryFn: api.getLibraryState });
}
