import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** Reports whether the library is empty, its trash included; false until known. */
export function useIsEmpty(): boolean {
  const { data } = useQuery({ queryKey: keys.facets(), queryFn: api.getFacets });
  return data !== undefined && data.total + data.archived + data.trash === 0;
}
