import { SessionLink } from "@/components/session-link";
import type { MessageView } from "@/lib/api";
import { useLinks } from "@/lib/links";
import { useTranscript } from "./scope";

/** Names the sessions that were split off at a message, or that it was copied from or to. */
export function Linked({ message }: { message: MessageView }) {
  const { session } = useTranscript();
  const links = useLinks(session.id).filter(({ uid }) => uid === message.uid);
  return links.map((link) => (
    <p key={`${link.way} ${link.sessionId} ${link.otherUid}`} className="measure mb-1 text-sm">
      <SessionLink link={link} />
    </p>
  ));
}
