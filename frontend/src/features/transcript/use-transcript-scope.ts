import { type RefObject, useMemo, useState } from "react";
import type { Session } from "@/lib/api/api";
import { useAuthors } from "@/lib/session/authors";
import { useLinks } from "@/lib/session/links";
import type { OnView } from "@/lib/session/location";
import { useMessageActions } from "./keys/use-message-actions";
import type { Folds } from "./path/folds";
import { useQuote } from "./quote/use-quote";
import type { TranscriptScope } from "./scope";
import type { ShownPath } from "./use-shown-path";
import { useWide } from "./use-wide";

interface Scene {
  session: Session;
  leafUid: string;
  shown: ShownPath;
  scroller: RefObject<HTMLElement | null>;
  folds: Folds;
  works: Folds;
  /** What has the width of the transcript. */
  frame: RefObject<HTMLElement | null>;
  onView: OnView;
}

/** The context of the parts of a transcript, with the actions on its messages. */
export function useTranscriptScope(scene: Scene) {
  const { session, leafUid, shown, scroller, frame, folds, works, onView } = scene;
  const [labelling, setLabelling] = useState<string | null>(null);
  const wide = useWide(frame);
  const quoting = useQuote({ session, path: shown.path, scroller, onView });
  const { actions, labelOf, branchFrom } = useMessageActions({
    session,
    leafUid,
    onView,
    onSwitch: shown.place.onSwitch,
    onEditLabel: (message) => setLabelling(message.uid),
    onQuote: quoting.quote,
  });
  const links = useLinks(session.id);
  const authors = useAuthors(session.id);
  const scope = useMemo<TranscriptScope>(
    () => ({
      session,
      authors,
      links,
      folds,
      works,
      wide,
      labelling,
      stopLabelling: () => setLabelling(null),
      labelOf,
      actions,
    }),
    [session, authors, links, folds, works, wide, labelling, labelOf, actions],
  );
  return { scope, quoting, branchFrom };
}
