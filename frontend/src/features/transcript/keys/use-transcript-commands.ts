import { type RefObject, useMemo } from "react";
import { useActions } from "@/actions/action";
import type { MessageView } from "@/lib/api/api";
import { useCommand, useOffers } from "@/lib/keys/commands";
import type { OnView } from "@/lib/session/location";
import { type Mode, modes } from "@/lib/session/mode";
import { messageMenu } from "../message/message-menu";
import type { Folds } from "../path/folds";
import { type DigestHandle, modeCommands } from "../path/mode";
import type { Leaf } from "../path/use-leaf";
import type { Reading } from "./reading";
import type { RowCursor } from "./use-row-cursor";

interface TranscriptCommands extends Reading {
  cursor: RowCursor;
  leaf: Leaf;
  /** Moves the head to a message. */
  branchFrom: (uid: string) => void;
  onView: OnView;
  mode: Mode;
  onMode: (mode: Mode) => void;
  /** The digest, while it is on screen. */
  digest: RefObject<DigestHandle | undefined>;
  works: Folds;
}

/** Registers what can be done with the path on screen and with the message at the cursor. */
export function useTranscriptCommands(scene: TranscriptCommands): void {
  const { session, leaf, branchFrom, onView, cursor, actions } = scene;
  useCommand("go-to-head", () => onView({ leafUid: session.headUid, focusUid: session.headUid }), {
    enabled: session.headUid !== "",
  });
  useCommand("move-head", () => leaf.message && branchFrom(leaf.message.uid), {
    enabled: leaf.message !== undefined && leaf.message.uid !== session.headUid,
  });
  useMovements(scene);
  const ofMessage = useMemo(() => messageMenu(actions).filter(isOfMessage), [actions]);
  const { mode, digest } = scene;
  useActions(ofMessage, () => (mode === "all" ? cursor.message() : digest.current?.message));
}

// The transcript steps through the alternatives of the nearest message that has some.
function isOfMessage(action: ReturnType<typeof messageMenu>[number]): boolean {
  return action === "separator" || !action.name.endsWith("-sibling");
}

function useMovements(scene: TranscriptCommands): void {
  const { view, folds, cursor, path, actions, tabStop, mode, onMode, digest, works, turns } = scene;
  const stepSibling = (by: 1 | -1) => {
    const rows = [tabStop];
    for (let index = view.range.top; index <= view.range.last; index++) rows.push(index);
    const forked = rows.map((index) => path.row(index)?.message).find(hasSiblings);
    if (forked) actions.stepSibling(forked, by);
  };
  const isAll = mode === "all";
  const toTurn = (by: 1 | -1) => {
    if (isAll) cursor.toPrompt(by);
    else digest.current?.goTo(digest.current.place + by);
  };
  const step = (by: 1 | -1) => (isAll ? cursor.step(by) : toTurn(by));
  const shown = isAll ? folds : works;
  useOffers([
    {
      name: "go-to-start",
      run: () => (isAll ? cursor.moveTo(0, "start") : digest.current?.goTo(0)),
    },
    {
      name: "go-to-end",
      run: () =>
        isAll
          ? cursor.moveTo(view.column.length - 1, "end")
          : digest.current?.goTo((turns?.length ?? 1) - 1),
    },
    { name: "next-message", run: () => step(1) },
    { name: "previous-message", run: () => step(-1) },
    { name: "next-prompt", run: () => toTurn(1) },
    { name: "previous-prompt", run: () => toTurn(-1) },
    { name: "toggle-folds", run: () => shown.setAll(!shown.allOpen) },
    { name: "previous-sibling", run: () => stepSibling(-1) },
    { name: "next-sibling", run: () => stepSibling(1) },
    ...modes.map((one) => ({ name: modeCommands[one], run: () => onMode(one) })),
  ]);
}

function hasSiblings(message: MessageView | undefined): boolean {
  return message !== undefined && !message.hidden && message.siblings > 1;
}
