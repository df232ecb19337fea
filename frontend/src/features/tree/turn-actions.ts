import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { toastDone, toastError, toastUndo } from "@/components/toast";
import { api, type Tree } from "@/lib/api";
import { writeClipboard } from "@/lib/clipboard";
import type { OnView } from "@/lib/place";
import { keys } from "@/lib/query";
import { findTurn } from "./find-turn";

/** What can be done with a turn, named by its number. What fails says so in a toast. */
export interface TurnActions {
  /** Shows the turn in the transcript: on the path on screen where it is on it, else on the one last visited through it. */
  view: (turn: number) => void;
  /** Moves the head there, so that the next message hangs on it. */
  continueFrom: (turn: number) => void;
  /** Names the turn; an empty text takes the name away. */
  label: (turn: number, text: string) => void;
  copy: (turn: number) => void;
  /** The turn below it that was visited last; -1 where there is none. */
  lastVisitedChild: (turn: number) => Promise<number>;
}

interface Scene {
  tree: Tree;
  /** Whether a turn is on the path on screen. */
  isShown: (turn: number) => boolean;
  leafUid: string;
  onView: OnView;
}

/** The actions on the turns of the tree on screen. */
export function useTurnActions({ tree, isShown, leafUid, onView }: Scene): TurnActions {
  const client = useQueryClient();
  return useMemo(() => {
    const { id } = tree.session;
    const failed = (title: string) => (error: unknown) => toastError(title, error);

    async function view(turn: number) {
      const focusUid = tree.turns[turn]?.firstUid;
      if (isShown(turn)) return onView({ leafUid, focusUid });
      const location = await api.locate(id, `n${turn}`);
      onView({ leafUid: location.leafUid, focusUid });
    }

    async function moveHead(node: string) {
      client.setQueryData(keys.session(id), await api.moveHead(id, node));
      await client.invalidateQueries({ queryKey: keys.tree(id) });
    }

    async function continueFrom(turn: number) {
      const before = tree.head;
      const { firstUid: focusUid, lastUid } = tree.turns[turn] ?? {};
      if (lastUid === undefined || lastUid === before) return;
      await moveHead(`n${turn}`);
      onView({ leafUid: lastUid, focusUid });
      const title = `The next message continues n${turn}`;
      // Where nothing was said before there is no head to go back to.
      if (before === "") return toastDone(title);
      toastUndo(title, async () => {
        await moveHead(before);
        onView({ leafUid });
      });
    }

    function show(turn: number, text: string) {
      client.setQueryData<Tree>(keys.tree(id), (now) => {
        const old = now?.turns[turn];
        return now && old && { ...now, turns: now.turns.with(turn, { ...old, label: text }) };
      });
    }

    async function setLabel(turn: number, text: string, before: string) {
      show(turn, text);
      try {
        await api.setLabel(id, tree.turns[turn]?.firstUid ?? "", text);
      } catch (error) {
        show(turn, before);
        throw error;
      }
    }

    async function label(turn: number, text: string) {
      const before = tree.turns[turn]?.label ?? "";
      if (text === before) return;
      await setLabel(turn, text, before);
      const title = text === "" ? `Label taken off n${turn}` : `n${turn} is labelled “${text}”`;
      toastUndo(title, () => setLabel(turn, before, text));
    }

    async function copy(turn: number) {
      const text = await api.getMessageMarkdown(id, tree.turns[turn]?.firstUid ?? "");
      if (await writeClipboard(text)) toastDone(`The text of n${turn} is on the clipboard`);
      else toastError("It was not copied", "the window may not use the clipboard");
    }

    return {
      view: (turn) => view(turn).catch(failed(`n${turn} could not be shown`)),
      continueFrom: (turn) => continueFrom(turn).catch(failed("The head could not be moved")),
      label: (turn, text) => label(turn, text).catch(failed(`n${turn} could not be labelled`)),
      copy: (turn) => copy(turn).catch(failed("It was not copied")),
      lastVisitedChild: async (turn) => {
        const { leafUid: leaf } = await api.locate(id, `n${turn}`);
        let child = findTurn(tree, leaf);
        while (child > turn && tree.turns[child]?.parent !== turn)
          child = tree.turns[child]?.parent ?? -1;
        return child > turn ? child : -1;
      },
    };
  }, [client, tree, isShown, leafUid, onView]);
}
