import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import {
  compareWith,
  copyMarkdown,
  copyPart,
  copyText,
  labelTurn,
  moveHead,
} from "@/actions/session-changes";
import { toastError } from "@/components/feedback/toast";
import { api, type MessageView, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import type { OnView } from "@/lib/session/location";
import { compose } from "@/lib/store/compose";
import { handRequest } from "@/lib/store/hand-request";
import { sentRequest } from "@/lib/store/sent-request";
import type { Tree } from "@/lib/tree/skeleton";
import type { MessageActions } from "../scope";

interface Scene {
  session: Session;
  leafUid: string;
  onView: OnView;
  /** The path is about to change from this row on; what is above keeps its place on screen. */
  onSwitch: (leafUid: string, depth: number) => void;
  onEditLabel: (message: MessageView) => void;
  onQuote: MessageActions["quote"];
}

/** The actions on messages, and branching from any message. Their identity never changes. */
export function useMessageActions(scene: Scene) {
  const client = useQueryClient();
  const newest = useRef(scene);
  newest.current = scene;
  return useMemo(() => {
    const labelOf = (message: MessageView): string => {
      const tree = client.getQueryData<Tree>(keys.tree(newest.current.session.id));
      return tree ? (tree.labels.get(message.turn) ?? "") : message.label;
    };
    const failed = (title: string) => (error: unknown) => toastError(title, error);

    const branchFrom = (uid: string) => {
      const { session, leafUid, onView } = newest.current;
      moveHead(client, {
        sessionId: session.id,
        from: session.headUid,
        to: uid,
        onMoved: () => onView({ leafUid: uid }),
        onUndone: () => newest.current.onView({ leafUid }),
      })
        // What follows is the next message. After a comparison the composer is only now drawn.
        .then(() => requestAnimationFrame(() => runCommand("focus-composer")))
        .catch(failed(t("Could not continue from here")));
    };

    async function showSibling(message: MessageView, uid: string) {
      if (uid === message.uid) return;
      const { session, onSwitch, onView } = newest.current;
      const { leafUid } = await api.locate(session.id, uid);
      onSwitch(leafUid, message.depth);
      onView({ leafUid });
    }

    async function stepSibling(message: MessageView, step: 1 | -1) {
      const { id } = newest.current.session;
      const siblings = await client.fetchQuery({
        queryKey: keys.siblings(id, message.uid),
        queryFn: () => api.listSiblings(id, message.uid),
      });
      const next = siblings[siblings.findIndex(({ uid }) => uid === message.uid) + step];
      if (next) await showSibling(message, next.uid);
    }

    function setLabel(message: MessageView, text: string) {
      const { id } = newest.current.session;
      const { turn, uid } = message;
      const color = client.getQueryData<Tree>(keys.tree(id))?.colors.get(turn) ?? "";
      labelTurn(client, {
        sessionId: id,
        turn,
        uid: async () => uid,
        before: { text: labelOf(message), color },
        next: { text, color },
      }).catch(failed(t("Could not label the turn")));
    }

    const actions: MessageActions = {
      branchFrom: ({ uid }) => branchFrom(uid),
      quote: (message, place) => newest.current.onQuote(message, place),
      edit: ({ uid }) => void compose({ kind: "edit", sessionId: newest.current.session.id, uid }),
      regenerate: ({ uid }, choose) =>
        void compose({
          kind: choose ? "regenerate-with" : "regenerate",
          sessionId: newest.current.session.id,
          uid,
        }),
      copyMarkdown: ({ uid }) =>
        void copyMarkdown(newest.current.session.id, uid).catch(failed(t("Could not copy"))),
      copyTurn: ({ uid }) =>
        void copyPart(newest.current.session.id, uid, true).catch(failed(t("Could not copy"))),
      copyPath: ({ uid }) =>
        void copyPart(newest.current.session.id, uid, false).catch(failed(t("Could not copy"))),
      handOver: ({ uid }) =>
        handRequest.set({ sessionId: newest.current.session.id, leafUid: uid }),
      copyUid: ({ uid }) => void copyText(uid, t("Copied message id")),
      editLabel: (message) => newest.current.onEditLabel(message),
      setLabel,
      showInTree: (message) => {
        newest.current.onView({ leafUid: newest.current.leafUid, focusUid: message.uid });
        runCommand("focus-tree");
      },
      showSent: ({ uid }) => sentRequest.set({ sessionId: newest.current.session.id, uid }),
      stepSibling: (message, step) =>
        void stepSibling(message, step).catch(failed(t("Could not show the alternative"))),
      compareSibling: (_message, uid) => {
        const { session, leafUid } = newest.current;
        compareWith(session.id, leafUid, uid).catch(failed(t("Could not compare the branches")));
      },
      showSibling: (message, uid) =>
        void showSibling(message, uid).catch(failed(t("Could not show the alternative"))),
    };
    return { actions, labelOf, branchFrom };
  }, [client]);
}
