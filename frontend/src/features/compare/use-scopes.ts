import { useMemo, useState } from "react";
import { useMessageActions } from "@/features/transcript/keys/use-message-actions";
import { Folds } from "@/features/transcript/path/folds";
import type { TranscriptScope } from "@/features/transcript/scope";
import type { MessageView, Session } from "@/lib/api/api";
import { useAuthors } from "@/lib/session/authors";
import { useLinks } from "@/lib/session/links";
import type { OnView } from "@/lib/session/location";

/** The context that the messages of one side need. An alternative that is chosen in it becomes that side. */
export function useScope(
  session: Session,
  leafUid: string,
  onLeaf: (leafUid: string) => void,
): TranscriptScope {
  const [folds] = useState(() => new Folds());
  const [labelling, setLabelling] = useState<string | null>(null);
  const { actions, labelOf } = useMessageActions({
    session,
    leafUid,
    onView: ({ leafUid }) => onLeaf(leafUid),
    onSwitch: nothingMoves,
    onEditLabel: (message: MessageView) => setLabelling(message.uid),
    onQuote: nothingThere,
  });
  const links = useLinks(session.id);
  const authors = useAuthors(session.id);
  return useMemo(
    () => ({
      session,
      authors,
      links,
      folds,
      works: folds,
      wide: false,
      labelling,
      stopLabelling: () => setLabelling(null),
      labelOf,
      actions,
    }),
    [session, authors, links, folds, labelling, labelOf, actions],
  );
}

/** The rows above the change keep their position on their own. */
function nothingMoves() {}

/** A comparison has no composer. */
function nothingThere() {}

/** Moving the head to the end of a branch, and showing it in the transcript. */
export function useContinue(session: Session, onView: OnView) {
  const { branchFrom } = useMessageActions({
    session,
    leafUid: session.headUid,
    onView,
    onSwitch: nothingMoves,
    onEditLabel: nothingThere,
    onQuote: nothingThere,
  });
  return branchFrom;
}
