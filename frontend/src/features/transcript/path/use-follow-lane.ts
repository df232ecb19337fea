import { useEffect } from "react";
import type { Lane } from "@/lib/api/api";
import { useWatchedLane } from "@/lib/run/runs";
import type { OnView } from "@/lib/session/location";

/** Keeps the path to the end of the run beside the head that is looked at, as it grows; returns that run. */
export function useFollowLane(
  sessionId: string,
  leafUid: string,
  onView: OnView,
): Lane | undefined {
  const lane = useWatchedLane(sessionId);
  const tipUid = lane?.tipUid ?? "";
  useEffect(() => {
    if (tipUid !== "" && tipUid !== leafUid) onView({ leafUid: tipUid, follows: true });
  }, [tipUid, leafUid, onView]);
  return lane;
}
