import { useQuery } from "@tanstack/react-query";
import { api, type MessageView, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { painted } from "@/lib/browser/after-paint";

/** What is known of the end of a path. */
export interface Leaf {
  message: MessageView | undefined;
  /** The session's head is neither this leaf nor below it. */
  headIsElsewhere: boolean;
  /** Where the path last visited through the leaf ends; empty where nothing follows. */
  furtherUid: string;
}

/** Requests the end of the path and its relation to the head. */
export function useLeaf(session: Session, leafUid: string, length: number | undefined): Leaf {
  const { id, headUid } = session;
  const end = useQuery({
    queryKey: [...keys.window(id), "leaf", leafUid, length],
    queryFn: () => painted().then(() => api.getWindow(id, leafUid, (length ?? 1) - 1, 1)),
    enabled: length !== undefined && length > 0,
    placeholderData: (before) => before,
  });
  const message = end.data?.messages[0];
  const depth = message?.depth ?? 0;
  const isHead = message?.uid === headUid;
  const onHeadPath = useQuery({
    queryKey: [...keys.window(id), "head", headUid, depth],
    queryFn: () => api.getWindow(id, headUid, depth, 1),
    enabled: message !== undefined && !isHead && headUid !== "",
  });
  const further = useQuery({
    queryKey: [...keys.window(id), "further", message?.uid],
    queryFn: () => api.locate(id, message?.uid ?? ""),
    enabled: message !== undefined,
  });
  const below = further.data?.leafUid ?? "";
  return {
    message,
    headIsElsewhere:
      !isHead && onHeadPath.isSuccess && onHeadPath.data.messages[0]?.uid !== message?.uid,
    furtherUid: below === message?.uid ? "" : below,
  };
}
