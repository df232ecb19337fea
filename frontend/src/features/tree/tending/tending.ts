import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { toastDone, toastError, toastUndo } from "@/components/feedback/toast";
import { api, type Hiding, type Location } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import type { OnView } from "@/lib/session/location";
import { type CopiedTurn, copyTurn } from "@/lib/store/graft-source";
import { parentOf, partAt, type Tree } from "@/lib/tree/skeleton";
import { calledTurn } from "../turn/turn-name";
import type { TurnWords } from "../turn/turn-words";

/** What the user can do to tend the turns of a tree. A failure is shown in a toast; a change that can be undone offers to. */
export interface Tending {
  /** Bookmarks turns, or removes the bookmarks if all have one. */
  bookmark: (turns: readonly number[]) => void;
  color: (turn: number, color: string) => void;
  /** Marks the path through a turn as the main one, or removes that mark. */
  setMain: (turn: number) => void;
  /** Moves turns to the trash, with all below them. */
  trash: (turns: readonly number[]) => void;
  trashAlternatives: (turn: number) => void;
  /** Moves to the trash what is neither on the path through a turn nor below it. */
  keepOnly: (turn: number) => void;
  restore: (turn: number) => void;
  restoreAll: () => void;
  /** Deletes what is in the trash for good. */
  empty: () => void;
  /** Copies the path to a turn, and all below it, into a session of its own. */
  split: (turn: number) => void;
  /** Stores a turn to be pasted elsewhere: with the path to it, or with all below it. */
  copy: (turn: number, what: "path" | "below") => void;
  graft: (copied: CopiedTurn, turn: number) => void;
  /** Copies a turn and all below it below another one, */
  copyBelow: (turn: number, below: number) => void;
  /** or to the end of the current branch of another session. */
  copyInto: (turn: number, sessionId: string) => void;
}

interface Scene {
  tree: Tree;
  words: TurnWords;
  leafUid: string;
  onView: OnView;
}

/** The tending of the tree on screen. */
export function useTending({ tree, words, leafUid, onView }: Scene): Tending {
  const client = useQueryClient();
  // By the time of an answer another path may be on screen than when it was requested.
  const shown = useRef(leafUid);
  shown.current = leafUid;
  return useMemo(() => {
    const desk: Desk = {
      id: tree.sessionId,
      tree,
      words,
      client,
      shownUid: () => shown.current,
      onView,
      refresh: () => client.invalidateQueries({ queryKey: keys.tree(tree.sessionId) }),
      locate: async (turn) => api.locate(tree.sessionId, (await turnOf(words, turn)).lastUid),
      firstUid: async (turn) => (await turnOf(words, turn)).firstUid,
    };
    return { ...marking(desk), ...trashing(desk), ...grafting(desk) };
  }, [client, tree, words, onView]);
}

/** What tending works with. */
interface Desk {
  id: string;
  tree: Tree;
  words: TurnWords;
  client: QueryClient;
  /** The end of the path on screen. */
  shownUid: () => string;
  onView: OnView;
  refresh: () => Promise<void>;
  locate: (turn: number) => Promise<Location>;
  firstUid: (turn: number) => Promise<string>;
}

const failed = (title: string) => (error: unknown) => toastError(title, error);

async function turnOf(words: TurnWords, turn: number) {
  const found = await words.read(turn);
  if (!found) throw new Error(t("the turn was deleted from this session"));
  return found;
}

function marking(desk: Desk): Pick<Tending, "bookmark" | "color" | "setMain"> {
  const { id, tree, refresh, firstUid } = desk;
  async function bookmark(turns: readonly number[]) {
    const on = !turns.every((turn) => tree.bookmarks.has(turn));
    for (const turn of turns) await api.setBookmark(id, await firstUid(turn), on);
    await refresh();
  }
  async function color(turn: number, color: string) {
    await api.colorLabel(id, await firstUid(turn), color);
    await refresh();
  }
  async function setMain(turn: number) {
    const uid = turn === tree.mainTurn ? "" : (await desk.locate(turn)).leafUid;
    await api.setMain(id, uid);
    await refresh();
    toastDone(uid === "" ? t("Unmarked main path") : t("Marked path as main"));
  }
  return {
    bookmark: (turns) => void bookmark(turns).catch(failed(t("Could not change the bookmark"))),
    color: (turn, name) =>
      void color(turn, name).catch(failed(t("Could not change the color of the label"))),
    setMain: (turn) => void setMain(turn).catch(failed(t("Could not change the main path"))),
  };
}

type Trashing = "trash" | "trashAlternatives" | "keepOnly" | "restore" | "restoreAll" | "empty";

function trashing(desk: Desk): Pick<Tending, Trashing> {
  const { id, refresh, firstUid } = desk;
  const trashed = failed(t("Could not move the turns to the trash"));
  const restored = failed(t("Could not restore the turns"));
  const hide = (ask: () => Promise<Hiding>) => void moveToTrash(desk, ask).catch(trashed);
  async function restore(uids: string[]) {
    await api.unhideMessages(id, uids, "");
    await refresh();
    toastDone(t("Restored from trash"));
  }
  return {
    trash: (turns) =>
      hide(async () =>
        api.hideMessages(id, await Promise.all(turns.map((turn) => firstUid(turn)))),
      ),
    trashAlternatives: (turn) => hide(async () => api.hideSiblings(id, await firstUid(turn))),
    keepOnly: (turn) => hide(async () => api.hideOthers(id, (await desk.locate(turn)).leafUid)),
    restore: (turn) => void hidingTops(desk, turn).then(restore).catch(restored),
    restoreAll: () => void restore([]).catch(restored),
    empty: () => void emptyTrash(desk).catch(failed(t("Could not empty the trash"))),
  };
}

async function moveToTrash(desk: Desk, ask: () => Promise<Hiding>): Promise<void> {
  const { id, refresh, onView, shownUid } = desk;
  const { messages, turns, tops, headUid } = await ask();
  await refresh();
  if (messages === 0) return toastDone(t("Nothing to move to the trash"));
  const before = shownUid();
  await leaveTrash(desk);
  const title = plural(
    messages,
    "Moved {{count}} message in {{turns}} to trash",
    "Moved {{count}} messages in {{turns}} to trash",
    { turns: formatPlural(turns, "turn") },
  );
  toastUndo(title, async () => {
    await api.unhideMessages(id, tops, headUid);
    await refresh();
    onView({ leafUid: before });
  });
}

/** Shows the path to the head if the path on screen was moved to the trash. */
async function leaveTrash({ id, client, shownUid, onView }: Desk): Promise<void> {
  const { turn } = await api.locate(id, shownUid());
  const tree = client.getQueryData<Tree>(keys.tree(id));
  if (!tree?.inTrash[partAt(tree.skeleton, turn, Number.POSITIVE_INFINITY)]) return;
  onView({ leafUid: (await api.getSession(id)).headUid });
}

/** The tops of the hidden subtrees that a turn is in. */
async function hidingTops({ id, tree }: Desk, turn: number): Promise<string[]> {
  const path = new Set<number>();
  for (let at = turn; at >= 0; at = parentOf(tree.skeleton, at))
    path.add(tree.skeleton.number[at] ?? at);
  const tops = (await api.listHidden(id)).filter((top) => path.has(top.turn));
  return tops.map((top) => top.uid);
}

async function emptyTrash({ id, client, refresh, onView }: Desk): Promise<void> {
  const removed = await api.purgeHidden(id);
  await client.invalidateQueries({ queryKey: keys.session(id) });
  await refresh();
  onView({ leafUid: (await api.getSession(id)).headUid });
  toastDone(
    plural(
      removed,
      "Emptied trash: deleted {{count}} message for good",
      "Emptied trash: deleted {{count}} messages for good",
    ),
  );
}

function grafting(
  desk: Desk,
): Pick<Tending, "split" | "copy" | "graft" | "copyBelow" | "copyInto"> {
  const { id, tree, words, client, refresh } = desk;
  async function split(turn: number) {
    const found = await turnOf(words, turn);
    const title = tree.labels.get(turn) || found.preview;
    const session = await api.split(id, found.lastUid, title);
    toastDone(t("Split off {{turn}} as session", { turn: calledTurn(found) }), {
      label: t("Open"),
      onClick: () => runCommand("open-session", session.id),
    });
  }
  async function copiedOf(turn: number, what: "path" | "below"): Promise<CopiedTurn> {
    const found = await turnOf(words, turn);
    const { firstUid, lastUid } = found;
    const path = what === "path";
    const source = { sessionId: id, uid: path ? lastUid : firstUid, path, below: !path };
    const name = path
      ? t("the path to {{turn}}", { turn: calledTurn(found) })
      : t("{{turn}} and what follows", { turn: calledTurn(found) });
    return { source, name };
  }
  async function copy(turn: number, what: "path" | "below") {
    const copied = await copiedOf(turn, what);
    copyTurn(copied);
    toastDone(
      t("Copied {{name}}: choose “Copy here” on a turn of any session", { name: copied.name }),
    );
  }
  const copyBelow = async (turn: number, below: number) =>
    graft(await copiedOf(turn, "below"), below);
  async function copyInto(turn: number, sessionId: string) {
    const { source, name } = await copiedOf(turn, "below");
    const { title, headUid } = await api.getSession(sessionId);
    const { uid, messages } = await api.graft(source, sessionId, headUid);
    const renew = () => client.invalidateQueries({ queryKey: keys.tree(sessionId) });
    await renew();
    toastUndo(
      t("Copied {{name}} into {{title}}: {{messages}}", {
        name,
        title,
        messages: formatPlural(messages, "message"),
      }),
      async () => {
        await api.removeCopy(sessionId, uid);
        await renew();
      },
    );
  }
  async function graft({ source, name }: CopiedTurn, turn: number) {
    const below = await turnOf(words, turn);
    const { uid, messages } = await api.graft(source, id, below.lastUid);
    await refresh();
    const title = t("Copied {{name}} below {{turn}}: {{messages}}", {
      name,
      turn: calledTurn(below),
      messages: formatPlural(messages, "message"),
    });
    toastUndo(title, async () => {
      await api.removeCopy(id, uid);
      await refresh();
    });
  }
  return {
    split: (turn) => void split(turn).catch(failed(t("Could not split off the turn"))),
    copy: (turn, what) => void copy(turn, what).catch(failed(t("Could not copy"))),
    copyBelow: (turn, below) => void copyBelow(turn, below).catch(failed(t("Could not copy"))),
    copyInto: (turn, sessionId) =>
      void copyInto(turn, sessionId).catch(failed(t("Could not copy"))),
    graft: (copied, turn) => void graft(copied, turn).catch(failed(t("Could not paste"))),
  };
}
