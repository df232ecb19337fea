import { useCommand } from "@/lib/commands";
import type { OnView } from "@/lib/place";
import { canEdit, canRegenerate, messageKeys } from "./message-menu";
import type { Leaf } from "./use-leaf";
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
  const group = "Session";
  const withCurrent = (
    act: (message: NonNullable<ReturnType<typeof keyboard.current>>) => void,
  ) => {
    const message = keyboard.current();
    if (message) act(message);
  };
  useCommand("go-to-start", () => keyboard.moveTo(0, "start"), {
    title: "Go to the first message",
    keys: "Home",
    local: true,
    group,
  });
  useCommand("go-to-end", () => keyboard.moveTo(view.column.length - 1, "end"), {
    title: "Go to the last message",
    keys: "End",
    local: true,
    group,
  });
  useCommand("go-to-head", () => onView({ leafUid: session.headUid, focusUid: session.headUid }), {
    title: "Go to the head",
    group,
    enabled: session.headUid !== "",
  });
  useCommand("move-head", () => leaf.message && moveHead(leaf.message.uid, leaf.message.turn), {
    title: "Move the head to the end of this path",
    group,
    enabled: leaf.message !== undefined && leaf.message.uid !== session.headUid,
  });
  useCommand("edit-message", () => withCurrent((one) => canEdit(one) && actions.edit(one)), {
    title: "Edit and resend the prompt…",
    keys: messageKeys.edit,
    local: true,
    group,
  });
  const regenerate = (choose: boolean) =>
    withCurrent((one) => canRegenerate(one) && actions.regenerate(one, choose));
  useCommand("regenerate", () => regenerate(false), {
    title: "Regenerate the answer",
    keys: messageKeys.regenerate,
    local: true,
    group,
  });
  useCommand("regenerate-with", () => regenerate(true), {
    title: "Regenerate the answer with another model…",
    keys: messageKeys.regenerateWith,
    local: true,
    group,
  });
  useCommand("quote-from", () => withCurrent((one) => actions.quote(one, "branch")), {
    title: "Branch from here with quote",
    keys: messageKeys.quoteFrom,
    local: true,
    group,
  });
  useCommand("quote-here", () => withCurrent((one) => actions.quote(one, "here")), {
    title: "Quote in message",
    keys: messageKeys.quoteHere,
    local: true,
    group,
  });
  useCommand("label", () => withCurrent(actions.editLabel), {
    title: "Label the turn…",
    keys: messageKeys.editLabel,
    local: true,
    group,
  });
  useCommand("copy-message", () => withCurrent(actions.copyMarkdown), {
    title: "Copy the message as Markdown",
    keys: messageKeys.copyMarkdown,
    local: true,
    group,
  });
  useCommand("previous-sibling", () => keyboard.stepSibling(-1), {
    title: "Previous alternative",
    keys: "Alt+ArrowUp",
    local: true,
    group,
  });
  useCommand("next-sibling", () => keyboard.stepSibling(1), {
    title: "Next alternative",
    keys: "Alt+ArrowDown",
    local: true,
    group,
  });
}
