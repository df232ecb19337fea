// The folders whose sessions the library imports as they are written.

import { useQuery } from "@tanstack/react-query";
import { api, type Followed } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** The followed folders; undefined before they are known. */
export function useFollowed(): { followed: Followed | undefined; error: Error | null } {
  const { data, error } = useQuery({ queryKey: keys.followed(), queryFn: api.getFollowed });
  return { followed: data, error };
}

/** Follows these folders too. */
export async function follow(paths: readonly string[]): Promise<void> {
  const { paths: before } = await api.getFollowed();
  await api.setFollowed([...before, ...paths.filter((path) => !before.includes(path))]);
}

/** Stops following a folder; sessions imported from it stay. */
export async function unfollow(path: string): Promise<void> {
  const { paths } = await api.getFollowed();
  await api.setFollowed(paths.filter((other) => other !== path));
}
