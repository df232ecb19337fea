import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Tree } from "@/lib/api";
import { keys } from "@/lib/query";
import { findTurn, turnAtLocation } from "./find-turn";

/** The turn that a message belongs to; -1 for none, and while Go is asked. */
export function useTurn(tree: Tree, uid: string): number {
  const found = useMemo(() => findTurn(tree, uid), [tree, uid]);
  const { data: location } = useQuery({
    queryKey: [...keys.tree(tree.session.id), "place", uid],
    queryFn: () => api.locate(tree.session.id, uid),
    enabled: found < 0 && uid !== "",
  });
  return useMemo(
    () => (found >= 0 || !location ? found : turnAtLocation(tree, location)),
    [tree, found, location],
  );
}
