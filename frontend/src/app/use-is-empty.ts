import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api";
import { keys } from "@/lib/query";

/** Says whether the library holds nothing at all, not even in its trash; false until that is known. */
export function useIsEmpty(): boolean {
  const { data } = useQuery({ queryKey: keys.facets(), queryFn: api.getFacets });
  return data !== undefined && data.total + data.archived + data.trash === 0;
}
