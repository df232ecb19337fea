import { SessionLink } from "@/components/session/session-link";
import type { Link, MessageView } from "@/lib/api/api";
import { useTranscript } from "../scope";

interface LinkedProps {
  message: MessageView;
  /** What the lines say is of the message itself, or of what follows on it. */
  about: "itself" | "follower";
}

/** Names the sessions that a message was copied from or to, or those that were split off and continue from it: at the position of their next message. */
export function Linked({ message, about }: LinkedProps) {
  const { links } = useTranscript();
  const own = links.filter((link) => link.uid === message.uid && aboutOf(link) === about);
  return own.map((link) => (
    <p key={`${link.way} ${link.sessionId} ${link.otherUid}`} className="measure my-1 text-sm">
      <SessionLink link={link} />
    </p>
  ));
}

function aboutOf({ way }: Link): LinkedProps["about"] {
  return way === "split_to" ? "follower" : "itself";
}
