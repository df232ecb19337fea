import type { Session } from "@/lib/api/api";
import { useLivePart } from "@/lib/run/runs";
import type { OnView } from "@/lib/session/location";
import { useFollowing } from "./column/use-following";
import { useFollowLane } from "./path/use-follow-lane";
import type { ShownPath } from "./use-shown-path";

/** The run of a session, and whether it writes at the end of the path on screen. */
export function useRunHere(
  session: Session,
  leafUid: string,
  view: ShownPath["view"],
  onView: OnView,
) {
  const { running } = useFollowing(session.id, view);
  const lastUid = useLivePart(session.id, (live) => live?.lastUid ?? "");
  const lane = useFollowLane(session.id, leafUid, onView);
  const writesHere = lane
    ? leafUid === lane.tipUid
    : leafUid === session.headUid || leafUid === lastUid;
  return { running, writesHere };
}
