import { SessionLink } from "@/components/session-link";
import type { MessageView } from "@/lib/api";
import { useTranscript } from "./scope";

/** Names the sessions that were split off at a message, or that it was copied from or to. */
export function Linked({ message }: { message: MessageView }) {
  const { links } = useTranscript();
  const own = links.filter(({ uid }) => uid === message.uid);
  return own.map((link) => (
    <p key={`${link.way} ${link.sessionId} ${link.otherUid}`} className="measure mb-1 text-sm">
      <SessionLink link={link} />
    </p>
  ));
}
