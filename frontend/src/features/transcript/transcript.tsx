import type { Session } from "@/lib/api/api";
import type { Focus, OnView } from "@/lib/session/location";
import { PathView } from "./path-view";
import "./transcript.css";

interface TranscriptProps {
  session: Session;
  /** The end of the path to show; empty: a session without messages. */
  leafUid: string;
  /** A message of the path to scroll to. */
  focus: Focus | undefined;
  onView: OnView;
  onExport: () => void;
}

/** The middle pane: one path of a session, from its first message to a leaf. */
export function Transcript(props: TranscriptProps) {
  // What is open, and where one reads, are of one session.
  return <PathView key={props.session.id} {...props} />;
}
