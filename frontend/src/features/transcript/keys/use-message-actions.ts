import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { toastDone, toastError, toastUndo } from "@/components/toast";
import { api, type MessageView, type Session } from "@/lib/api";
import { writeClipboard } from "@/lib/clipboard";
import { runCommand } from "@/lib/commands";
import { openComparison } from "@/lib/comparing";
import { compose } from "@/lib/compose";
import type { OnView } from "@/lib/place";
import { keys } from "@/lib/query";
import type { Tree } from "@/lib/skeleton";
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

/** The actions on messages, and moving the head. Their identity never changes. */
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

    async function moveHead(uid: string, turn: number) {
      const { session, leafUid, onView } = newest.current;
      const { id, headUid: before } = session;
      if (uid === before) return toastDone("The session already continues from here");
      client.setQueryData(keys.session(id), await api.moveHead(id, uid));
      onView({ leafUid: uid });
      const title = `The next message continues from n${turn}`;
      // Where nothing was said before there is no head to go back to.
      if (before === "") return toastDone(title);
      toastUndo(title, async () => {
        client.setQueryData(keys.session(id), await api.moveHead(id, before));
        newest.current.onView({ leafUid });
      });
    }

    async function showSibling(message: MessageView, uid: string) {
      if (uid === message.uid) return;
      const { session, onSwitch, onView } = newest.current;
      const { leafUid } = await api.locate(session.id, uid);
      onSwitch(leafUid, message.depth);
      onView({ leafUid });
    }

    async function compareSibling(uid: string) {
      const { session, leafUid } = newest.current;
      const { leafUid: rightUid } = await api.locate(session.id, uid);
      openComparison({ sessionId: session.id, leftUid: leafUid, rightUid });
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

    async function copy(text: string, done: string) {
      if (await writeClipboard(text)) toastDone(done);
      else toastError("It was not copied", "the window may not use the clipboard");
    }

    async function setLabel(message: MessageView, text: string) {
      const { id } = newest.current.session;
      const before = labelOf(message);
      if (text === before) return;
      await api.setLabel(id, message.uid, text);
      const name = `n${message.turn}`;
      toastUndo(text === "" ? `Label taken off ${name}` : `${name} is labelled “${text}”`, () =>
        api.setLabel(id, message.uid, before),
      );
    }

    const actions: MessageActions = {
      branchFrom: (message) =>
        void moveHead(message.uid, message.turn).catch(failed("The head could not be moved")),
      quote: (message, place) => newest.current.onQuote(message, place),
      edit: ({ uid }) => void compose({ kind: "edit", sessionId: newest.current.session.id, uid }),
      regenerate: ({ uid }, choose) =>
        void compose({
          kind: choose ? "regenerate-with" : "regenerate",
          sessionId: newest.current.session.id,
          uid,
        }),
      copyMarkdown: (message) =>
        void api
          .getMessageMarkdown(newest.current.session.id, message.uid)
          .then((text) => copy(text, "Copied the message as Markdown"))
          .catch(failed("It was not copied")),
      copyUid: (message) => void copy(message.uid, "Copied the message's id"),
      editLabel: (message) => newest.current.onEditLabel(message),
      setLabel: (message, text) =>
        void setLabel(message, text).catch(failed("The turn could not be labelled")),
      showInTree: (message) => {
        newest.current.onView({ leafUid: newest.current.leafUid, focusUid: message.uid });
        runCommand("focus-tree");
      },
      stepSibling: (message, step) =>
        void stepSibling(message, step).catch(failed("The alternative could not be shown")),
      compareSibling: (_message, uid) =>
        void compareSibling(uid).catch(failed("They could not be compared")),
      showSibling: (message, uid) =>
        void showSibling(message, uid).catch(failed("The alternative could not be shown")),
    };
    return {
      actions,
      labelOf,
      moveHead: (uid: string, turn: number) =>
        void moveHead(uid, turn).catch(failed("The head could not be moved")),
    };
  }, [client]);
}
