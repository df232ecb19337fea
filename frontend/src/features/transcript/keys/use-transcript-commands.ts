import { useMemo } from "react";
import { useActions } from "@/actions/action";
import type { MessageView } from "@/lib/api/api";
import { useCommand, useOffers } from "@/lib/keys/commands";
import type { OnView } from "@/lib/session/location";
import { messageMenu } from "../message/message-menu";
import type { Leaf } from "../path/use-leaf";
import type { Reading } from "./reading";
import type { RowCursor } from "./use-row-cursor";

interface TranscriptCommands extends Reading {
  cursor: RowCursor;
  leaf: Leaf;
  /** Moves the head to a message. */
  branchFrom: (uid: string, turn: number) => void;
  onView: OnView;
}

/** Registers what can be done with the path on screen and with the message at the cursor. */
export function useTranscriptCommands(scene: TranscriptCommands): void {
  const { session, leaf, branchFrom, onView, cursor, actions } = scene;
  useCommand("go-to-head", () => onView({ leafUid: session.headUid, focusUid: session.headUid }), {
    enabled: session.headUid !== "",
  });
  useCommand("move-head", () => leaf.message && branchFrom(leaf.message.uid, leaf.message.turn), {
    enabled: leaf.message !== undefined && leaf.message.uid !== session.headUid,
  });
  useMovements(scene);
  const ofMessage = useMemo(() => messageMenu(actions).filter(isOfMessage), [actions]);
  useActions(ofMessage, cursor.message);
}

// The transcript steps through the alternatives of the nearest message that has some.
function isOfMessage(action: ReturnType<typeof messageMenu>[number]): boolean {
  return action === "separator" || !action.name.endsWith("-sibling");
}

function useMovements({ view, folds, cursor, path, actions, tabStop }: TranscriptCommands): void {
  const stepSibling = (by: 1 | -1) => {
    const rows = [tabStop];
    for (let index = view.range.top; index <= view.range.last; index++) rows.push(index);
    const forked = rows.map((index) => path.row(index)?.message).find(hasSiblings);
    if (forked) actions.stepSibling(forked, by);
  };
  useOffers([
    { name: "go-to-start", run: () => cursor.moveTo(0, "start") },
    { name: "go-to-end", run: () => cursor.moveTo(view.column.length - 1, "end") },
    { name: "next-message", run: () => cursor.step(1) },
    { name: "previous-message", run: () => cursor.step(-1) },
    { name: "next-prompt", run: () => void cursor.toPrompt(1) },
    { name: "previous-prompt", run: () => void cursor.toPrompt(-1) },
    { name: "toggle-folds", run: () => folds.setAll(!folds.allOpen) },
    { name: "previous-sibling", run: () => stepSibling(-1) },
    { name: "next-sibling", run: () => stepSibling(1) },
  ]);
}

function hasSiblings(message: MessageView | undefined): boolean {
  return message !== undefined && !message.hidden && message.siblings > 1;
}
