import { FileSearch, Folder, SquareTerminal } from "lucide-react";
import type { Session } from "@/lib/api/api";
import { handRequest } from "@/lib/store/hand-request";
import type { Action } from "./action";
import { continueInTool, continueTitle, isFromTool, reveal } from "./original";

/** The session, if it is one and not in the trash. */
function only(sessions: readonly Session[]): Session | undefined {
  const [first] = sessions;
  return sessions.length === 1 && first?.deletedAtMs === 0 ? first : undefined;
}

/** Returns a condition on the only session of a target. */
function offered(has: (session: Session) => boolean) {
  return (sessions: readonly Session[]) => {
    const session = only(sessions);
    return session !== undefined && has(session);
  };
}

/** The actions that lead from one session back to the tool it came from. */
export const originalActions: Action<readonly Session[]>[] = [
  {
    name: "continue-in",
    icon: SquareTerminal,
    isOffered: offered(({ messageCount }) => messageCount > 0),
    run: ([session]) => session && handRequest.set({ sessionId: session.id, leafUid: "" }),
  },
  {
    name: "continue-in-tool",
    icon: SquareTerminal,
    title: ([session]) => continueTitle(session),
    isOffered: offered(isFromTool),
    run: ([session]) => session && void continueInTool(session),
  },
  {
    name: "open-workspace",
    icon: Folder,
    isOffered: offered(({ workspacePath }) => workspacePath !== ""),
    run: ([session]) => session && void reveal(session, "workspace"),
  },
  {
    name: "reveal-source",
    icon: FileSearch,
    isOffered: offered(({ sourcePath }) => sourcePath !== ""),
    run: ([session]) => session && void reveal(session, "file"),
  },
];
