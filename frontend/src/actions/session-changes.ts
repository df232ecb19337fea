// What changes a session, once for the transcript, the tree and the comparison: each reports what it did, and how to undo it.

import type { QueryClient } from "@tanstack/react-query";
import { toastDone, toastError, toastUndo } from "@/components/feedback/toast";
import { api, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { writeClipboard } from "@/lib/browser/clipboard";
import { t } from "@/lib/i18n/i18n";
import { openComparison } from "@/lib/store/comparing";
import { relabel, type Tree } from "@/lib/tree/skeleton";

interface HeadMove {
  sessionId: string;
  /** The head until now; empty: the session has none. */
  from: string;
  /** The message that the session continues from. */
  to: string;
  /** What that is called, in quotation marks; undefined: "here". */
  name?: string;
  /** Shows the new head. */
  onMoved: () => void;
  /** Shows what was on screen before. */
  onUndone: () => void;
}

/** Moves the head of a session: the next message becomes a child of it. */
export async function moveHead(client: QueryClient, move: HeadMove): Promise<void> {
  const { sessionId, from, to } = move;
  if (to === from) return toastDone(t("The session already continues from here"));
  const set = async (uid: string) => {
    client.setQueryData(keys.session(sessionId), await api.moveHead(sessionId, uid));
    await client.invalidateQueries({ queryKey: keys.tree(sessionId), exact: true });
  };
  await set(to);
  move.onMoved();
  const title =
    move.name === undefined
      ? t("The next message continues from here")
      : t("The next message continues from {{place}}", { place: move.name });
  // An empty session had no head to return to.
  if (from === "") return toastDone(title);
  toastUndo(title, async () => {
    await set(from);
    move.onUndone();
  });
}

interface Restoring {
  sessionId: string;
  checkpoint: { id: string; name: string };
  /** Shows the new head. */
  onMoved: (headUid: string) => void;
  /** Shows what was on screen before. */
  onUndone: () => void;
}

/** Restores a checkpoint: the session continues from its message, with the model, mode and limits it had there. */
export async function restoreCheckpoint(client: QueryClient, restoring: Restoring): Promise<void> {
  const { sessionId, checkpoint } = restoring;
  const show = async (session: Session) => {
    client.setQueryData(keys.session(sessionId), session);
    await client.invalidateQueries({ queryKey: keys.tree(sessionId), exact: true });
  };
  const session = await api.restoreCheckpoint(sessionId, checkpoint.id);
  await show(session);
  restoring.onMoved(session.headUid);
  toastUndo(
    t("Restored checkpoint {{name}}", { name: checkpoint.name || checkpoint.id }),
    async () => {
      await show(await api.undoRestore(sessionId));
      restoring.onUndone();
    },
  );
}

/** The label of a turn. */
export interface Label {
  text: string;
  /** One of labelColors; empty: none. */
  color: string;
}

interface Labelling {
  sessionId: string;
  turn: number;
  /** Returns a message of the turn. */
  uid: () => Promise<string>;
  before: Label;
  next: Label;
}

/** Changes the label of a turn; an empty text removes it. The tree shows it at once. */
export async function labelTurn(client: QueryClient, labelling: Labelling): Promise<void> {
  const { before, next } = labelling;
  const isSame = next.text === before.text && (next.text === "" || next.color === before.color);
  if (isSame) return;
  await setLabel(client, labelling, next, before);
  const title =
    next.text === ""
      ? t("Removed label “{{label}}”", { label: before.text })
      : t("Labelled turn “{{label}}”", { label: next.text });
  toastUndo(title, () => setLabel(client, labelling, before, next));
}

async function setLabel(
  client: QueryClient,
  { sessionId, turn, uid }: Labelling,
  label: Label,
  before: Label,
): Promise<void> {
  const show = ({ text, color }: Label) =>
    client.setQueryData<Tree>(
      keys.tree(sessionId),
      (now) => now && relabel(now, turn, text, color),
    );
  show(label);
  try {
    const message = await uid();
    if (label.text !== before.text) await api.setLabel(sessionId, message, label.text);
    // A label that was removed has lost its color.
    if (label.text !== "" && (label.color !== before.color || before.text === ""))
      await api.colorLabel(sessionId, message, label.color);
  } catch (error) {
    show(before);
    throw error;
  }
}

/** Copies a message to the clipboard. */
export async function copyMarkdown(sessionId: string, uid: string): Promise<void> {
  await copyText(await api.getMessageMarkdown(sessionId, uid), t("Copied as Markdown"));
}

/** Copies a text to the clipboard and reports it. */
/** Copies a turn, or the path that ends at a message. */
export async function copyPart(sessionId: string, leafUid: string, isTurn: boolean): Promise<void> {
  await copyText(await api.getMarkdown(sessionId, leafUid, isTurn), t("Copied as Markdown"));
}

export async function copyText(text: string, done: string): Promise<void> {
  if (await writeClipboard(text)) toastDone(done);
  else toastError(t("Could not copy"), t("The window may not use the clipboard"));
}

/** Shows the branch through a message or a turn beside the path on screen. */
export async function compareWith(sessionId: string, leftUid: string, node: string): Promise<void> {
  const { leafUid: rightUid } = await api.locate(sessionId, node);
  openComparison({ sessionId, leftUid, rightUid });
}
