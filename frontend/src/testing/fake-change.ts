// Change events of the fake.

import type { Change, ChangeKind } from "@/lib/api/api";

/** The value of a "changed" event. */
export function changeOf(kind: ChangeKind, sessionId = "", jobId = ""): Change {
  return { sessionId, jobId, kinds: [kind] };
}
