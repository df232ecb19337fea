import { useCommand } from "@/lib/commands";
import { canEdit, canRegenerate } from "@/lib/compose";
import type { OnView } from "@/lib/place";
import type { Leaf } from "../path/use-leaf";
import type { Reading, useTranscriptKeys } from "./use-transcript-keys";

interface TranscriptCommands extends Reading {
  keyboard: ReturnType<typeof useTranscriptKeys>;
  leaf: Leaf;
  moveHead: (uid: string, turn: number) => void;
  onView: OnView;
}

/** Registers what can be done with the path on screen and with the message the keys are at. */
export function useTranscriptCommands(scene: TranscriptCommands): void {
  const { session, view, actions, keyboard, leaf, moveHead, onView } = scene;
  const withCurrent = (
    act: (message: NonNullable<ReturnType<typeof keyboard.current>>) => void,
  ) => {
    const message = keyboard.current();
    if (message) act(message);
  };
  useCommand("go-to-start", () => keyboard.moveTo(0, "start"));
  useCommand("go-to-end", () => keyboard.moveTo(view.column.length - 1, "end"));
  useCommand("go-to-head", () => onView({ leafUid: session.headUid, focusUid: session.headUid }), {
    enabled: session.headUid !== "",
  });
  useCommand("move-head", () => leaf.message && moveHead(leaf.message.uid, leaf.message.turn), {
    enabled: leaf.message !== undefined && leaf.message.uid !== session.headUid,
  });
  useCommand("edit-message", () => withCurrent((one) => canEdit(one) && actions.edit(one)));
  const regenerate = (choose: boolean) =>
    withCurrent((one) => canRegenerate(one) && actions.regenerate(one, choose));
  useCommand("regenerate", () => regenerate(false));
  useCommand("regenerate-with", () => regenerate(true));
  useCommand("quote-from", () => withCurrent((one) => actions.quote(one, "branch")));
  useCommand("quote-here", () => withCurrent((one) => actions.quote(one, "here")));
  useCommand("label", () => withCurrent(actions.editLabel));
  useCommand("branch-from", () => withCurrent(actions.branchFrom));
  useCommand("copy-message-id", () => withCurrent(actions.copyUid));
  useCommand("show-in-tree", () => withCurrent(actions.showInTree));
  useCommand("copy-message", () => withCurrent(actions.copyMarkdown));
  useCommand("previous-sibling", () => keyboard.stepSibling(-1));
  useCommand("next-sibling", () => keyboard.stepSibling(1));
}
