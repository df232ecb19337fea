import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { OnView } from "@/lib/session/location";
import { theEnd } from "./column/column";
import { JumpToEnd } from "./column/jump-to-end";
import { useUnseen } from "./column/use-unseen";
import type { ShownPath } from "./use-shown-path";

interface JumpsProps {
  session: Session;
  leafUid: string;
  shown: ShownPath;
  running: boolean;
  /** The run writes at the end of this path. */
  writesHere: boolean;
  onView: OnView;
}

/** The buttons above the end of the messages: to the answer that is being written, and to new messages. */
export function Jumps({ session, leafUid, shown, running, writesHere, onView }: JumpsProps) {
  const { path, view } = shown;
  const unseen = useUnseen({
    leafUid,
    headUid: session.headUid,
    length: path.length,
    isReady: path.isReady,
    atEnd: view.atEnd,
    uidAt: (index) => path.row(index)?.message.uid,
  });
  if (running && writesHere && view.atEnd) return null;
  if (running)
    return (
      <JumpToEnd
        label={writesHere ? t("Jump to the answer") : t("Go to the answer")}
        onJump={() => {
          if (writesHere) view.goTo(theEnd);
          else onView({ leafUid: session.headUid, focusUid: session.headUid });
        }}
      />
    );
  if (unseen.from === undefined) return null;
  return (
    <JumpToEnd
      label={t("New messages")}
      onJump={() => {
        view.goTo({ index: unseen.from ?? 0, align: "start" });
        unseen.forget();
      }}
    />
  );
}
