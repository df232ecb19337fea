import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { toastDone, toastError, toastUndo } from "@/components/toast";
import { api, type Hiding, type Location } from "@/lib/api";
import { runCommand } from "@/lib/commands";
import { formatPlural } from "@/lib/format";
import { type CopiedTurn, copyTurn } from "@/lib/graft-source";
import type { OnView } from "@/lib/place";
import { keys } from "@/lib/query";
import { parentOf, type Tree } from "@/lib/skeleton";
import type { TurnWords } from "../turn/turn-words";

/** How a person tends the turns of a tree. What fails says so in a toast; what can be taken back offers to. */
export interface Tending {
  /** Marks turns to come back to, or takes the marks away where all have one. */
  bookmark: (turns: readonly number[]) => void;
  color: (turn: number, color: string) => void;
  /** Marks the path through a turn as the one that counts, or takes the mark away where it is that. */
  setMain: (turn: number) => void;
  /** Puts turns into the trash, with all below them. */
  trash: (turns: readonly number[]) => void;
  trashAlternatives: (turn: number) => void;
  /** Puts all that is not on the path through a turn, nor below it, into the trash. */
  keepOnly: (turn: number) => void;
  restore: (turn: number) => void;
  restoreAll: () => void;
  /** Removes for good what is in the trash. */
  empty: () => void;
  /** Copies the path to a turn, and all below it, into a session of its own. */
  split: (turn: number) => void;
  /** Remembers a turn to be copied elsewhere: with the path to it, or with all below it. */
  cut: (turn: number, what: "path" | "below") => void;
  graft: (copied: CopiedTurn, turn: number) => void;
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
  // By the time of an answer another path may be on screen than when it was asked for.
  const shown = useRef(leafUid);
  shown.current = leafUid;
  return useMemo(() => {
    const id = tree.sessionId;
    const tell = (title: string) => (error: unknown) => toastError(title, error);
    const refresh = () => client.invalidateQueries({ queryKey: keys.tree(id) });

    async function firstUid(turn: number): Promise<string> {
      const found = await words.read(turn);
      if (!found) throw new Error(`n${turn} is not in this session any more`);
      return found.firstUid;
    }

    async function hide(ask: () => Promise<Hiding>) {
      const hiding = await ask();
      await refresh();
      const { messages, turns, tops, headUid } = hiding;
      if (messages === 0) return toastDone("There is nothing to put into the trash");
      const before = shown.current;
      await leaveTrash();
      const what = `${formatPlural(messages, "message")} in ${formatPlural(turns, "turn")}`;
      toastUndo(`${what} in the trash of the session`, async () => {
        await api.unhideMessages(id, tops, headUid);
        await refresh();
        onView({ leafUid: before });
      });
    }

    /** The path on screen may have gone into the trash: then that to the head is shown. */
    async function leaveTrash() {
      const { turn } = await api.locate(id, shown.current);
      if (!client.getQueryData<Tree>(keys.tree(id))?.inTrash[turn]) return;
      onView({ leafUid: (await api.getSession(id)).headUid });
    }

    async function bookmark(turns: readonly number[]) {
      const on = !turns.every((turn) => tree.bookmarks.has(turn));
      for (const turn of turns) await api.setBookmark(id, await firstUid(turn), on);
      await refresh();
    }

    async function setMain(turn: number) {
      const uid = turn === tree.mainTurn ? "" : (await locate(turn)).leafUid;
      await api.setMain(id, uid);
      await refresh();
      toastDone(uid === "" ? "No path is marked as main" : `The path through n${turn} is main`);
    }

    const locate = (turn: number): Promise<Location> => api.locate(id, `n${turn}`);

    async function restore(uids: string[]) {
      await api.unhideMessages(id, uids, "");
      await refresh();
      toastDone("Taken out of the trash");
    }

    async function restoreAbove(turn: number) {
      const path = new Set<number>();
      for (let at = turn; at >= 0; at = parentOf(tree.skeleton, at)) path.add(at);
      const tops = (await api.listHidden(id)).filter((top) => path.has(top.turn));
      await restore(tops.map((top) => top.uid));
    }

    async function empty() {
      const removed = await api.purgeHidden(id);
      await client.invalidateQueries({ queryKey: keys.session(id) });
      await refresh();
      onView({ leafUid: (await api.getSession(id)).headUid });
      toastDone(`${formatPlural(removed, "message")} removed for good`);
    }

    async function split(turn: number) {
      const found = await words.read(turn);
      if (!found) return;
      const title = tree.labels.get(turn) || found.preview;
      const session = await api.split(id, found.lastUid, title);
      toastDone(`n${turn} is a session of its own now`, {
        label: "Open",
        onClick: () => runCommand("open-session", session.id),
      });
    }

    async function cutTurn(turn: number, what: "path" | "below") {
      const found = await words.read(turn);
      if (!found) return;
      const path = what === "path";
      const source = {
        sessionId: id,
        uid: path ? found.lastUid : found.firstUid,
        path,
        below: !path,
      };
      const name = path ? `the path to n${turn}` : `n${turn} and what follows`;
      copyTurn({ source, name });
      toastDone(`Copied ${name}: paste it below a turn of any session`);
    }

    async function graft({ source, name }: CopiedTurn, turn: number) {
      const found = await words.read(turn);
      if (!found) return;
      const { uid, messages } = await api.graft(source, id, found.lastUid);
      await refresh();
      toastUndo(`Pasted ${name} below n${turn}: ${formatPlural(messages, "message")}`, async () => {
        await api.hideMessages(id, [uid]);
        await refresh();
      });
    }

    const trashed = tell("It could not be put into the trash");
    const restored = tell("It could not be taken out of the trash");
    return {
      bookmark: (turns) => void bookmark(turns).catch(tell("It could not be bookmarked")),
      color: (turn, color) =>
        void firstUid(turn)
          .then((uid) => api.colorLabel(id, uid, color))
          .then(refresh)
          .catch(tell("The label could not be coloured")),
      setMain: (turn) => void setMain(turn).catch(tell("The path could not be marked")),
      trash: (turns) =>
        void hide(async () =>
          api.hideMessages(id, await Promise.all(turns.map((turn) => firstUid(turn)))),
        ).catch(trashed),
      trashAlternatives: (turn) =>
        void hide(async () => api.hideSiblings(id, await firstUid(turn))).catch(trashed),
      keepOnly: (turn) =>
        void hide(async () => api.hideOthers(id, (await locate(turn)).leafUid)).catch(trashed),
      restore: (turn) => void restoreAbove(turn).catch(restored),
      restoreAll: () => void restore([]).catch(restored),
      empty: () => void empty().catch(tell("The trash could not be emptied")),
      split: (turn) => void split(turn).catch(tell("It could not be split off")),
      cut: (turn, what) => void cutTurn(turn, what).catch(tell("It was not copied")),
      graft: (copied, turn) => void graft(copied, turn).catch(tell("It could not be pasted")),
    };
  }, [client, tree, words, onView]);
}
