// The links of the session on screen with others by splits and grafts.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api, type Link } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { painted } from "@/lib/browser/after-paint";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";

const none: Link[] = [];

/** The links of a session by its turns, those of the whole session first; empty while they are loading. */
export function useLinks(sessionId: string): readonly Link[] {
  const { data = none } = useQuery({
    queryKey: keys.links(sessionId),
    queryFn: () => painted().then(() => api.listLinks(sessionId)),
  });
  return data.length === 0 ? none : data;
}

/** The turns of a session that have links. */
export function useLinkedTurns(sessionId: string): ReadonlySet<number> {
  const links = useLinks(sessionId);
  return useMemo(() => new Set(links.map(({ turn }) => turn)), [links]);
}

const ways: Record<string, Message> = {
  split_from: msg("Split off"),
  split_to: msg("Split off as"),
  graft_from: msg("Copied from"),
  graft_to: msg("Copied to"),
};

/** The label of a link to the other session: "Copied from". */
export function linkWay({ way }: Link): string {
  return ways[way] ? translate(ways[way]) : way;
}

/** The other session's title, for users. */
export function linkTitle({ title, state }: Link): string {
  if (state === "gone") return t("a deleted session");
  return title || t("an untitled session");
}

/** Opens the other session, at the message of the link if there is one. */
export function followLink({ sessionId, otherUid, otherTurn }: Link): void {
  if (otherTurn >= 0) runCommand("open-message", `${sessionId}/${otherUid}`);
  else runCommand("open-session", sessionId);
}
