import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { toastDone, toastError, toastUndo } from "@/components/toast";
import { api, type Location } from "@/lib/api";
import { writeClipboard } from "@/lib/clipboard";
import { runCommand } from "@/lib/commands";
import { openComparison } from "@/lib/comparing";
import { type AnewRequest, canEdit, canRegenerate, compose } from "@/lib/compose";
import type { OnView } from "@/lib/place";
import { keys } from "@/lib/query";
import { parentOf, relabel, type Tree } from "@/lib/skeleton";
import { placeKey } from "@/lib/tree";
import type { TurnWords } from "./turn-words";

/** The prompt of a turn and its first answer are among so many messages at its beginning. */
const mostPrompts = 40;

/** What a turn is labelled with. */
export interface Label {
  text: string;
  /** One of labelColors; empty: none. */
  color: string;
}

/** What can be done with a turn, named by its number. What fails says so in a toast. */
export interface TurnActions {
  /** Shows the turn in the transcript: on the path on screen where it is on it, else on the one last visited through it. */
  view: (turn: number) => void;
  /** Moves the head there, so that the next message hangs on it. */
  continueFrom: (turn: number) => void;
  /** Names the turn; an empty text takes the name away. */
  /** A label without a text takes it away. */
  label: (turn: number, label: Label) => void;
  copy: (turn: number) => void;
  /** Says its prompt anew, or lets a model answer it anew: the new message becomes a sibling. */
  anew: (turn: number, kind: AnewRequest["kind"]) => void;
  /** Sets the branch through the turn beside the path on screen. */
  compare: (turn: number) => void;
  /** The turn below it that was visited last; -1 where there is none. */
  lastVisitedChild: (turn: number) => Promise<number>;
}

interface Scene {
  tree: Tree;
  words: TurnWords;
  /** Whether a turn is on the path on screen. */
  isShown: (turn: number) => boolean;
  leafUid: string;
  onView: OnView;
}

/** The actions on the turns of the tree on screen. */
export function useTurnActions({ tree, words, isShown, leafUid, onView }: Scene): TurnActions {
  const client = useQueryClient();
  /** How often a view was asked for: only the last one is shown, whichever answer comes last. */
  const asked = useRef(0);
  return useMemo(() => {
    const id = tree.sessionId;
    const failed = (title: string) => (error: unknown) => toastError(title, error);

    async function wordsOf(turn: number) {
      const found = await words.read(turn);
      if (!found) throw new Error(`n${turn} is not in this session any more`);
      return found;
    }

    async function view(turn: number) {
      const number = ++asked.current;
      const { firstUid: focusUid } = await wordsOf(turn);
      if (number !== asked.current) return;
      if (isShown(turn)) {
        remember(client, { sessionId: id, uid: focusUid, turn });
        return onView({ leafUid, focusUid });
      }
      const location = await api.locate(id, `n${turn}`);
      remember(client, { ...location, uid: focusUid, turn });
      remember(client, { ...location, uid: location.leafUid, turn: location.leafTurn });
      if (number !== asked.current) return;
      onView({ leafUid: location.leafUid, focusUid });
    }

    async function moveHead(node: string) {
      client.setQueryData(keys.session(id), await api.moveHead(id, node));
      await client.invalidateQueries({ queryKey: keys.tree(id), exact: true });
    }

    async function continueFrom(turn: number) {
      asked.current++;
      const before = tree.head;
      const { firstUid: focusUid, lastUid } = await wordsOf(turn);
      if (lastUid === before) return;
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

    function show(turn: number, { text, color }: Label) {
      client.setQueryData<Tree>(keys.tree(id), (now) => now && relabel(now, turn, text, color));
    }

    async function setLabel(turn: number, label: Label, before: Label) {
      show(turn, label);
      try {
        const { firstUid } = await wordsOf(turn);
        if (label.text !== before.text) await api.setLabel(id, firstUid, label.text);
        if (label.text !== "") await api.colorLabel(id, firstUid, label.color);
      } catch (error) {
        show(turn, before);
        throw error;
      }
    }

    async function label(turn: number, next: Label) {
      const before = { text: tree.labels.get(turn) ?? "", color: tree.colors.get(turn) ?? "" };
      if (next.text === before.text && (next.text === "" || next.color === before.color)) return;
      await setLabel(turn, next, before);
      const title =
        next.text === "" ? `Label taken off n${turn}` : `n${turn} is labelled “${next.text}”`;
      toastUndo(title, () => setLabel(turn, before, next));
    }

    async function copy(turn: number) {
      const text = await api.getMessageMarkdown(id, (await wordsOf(turn)).firstUid);
      if (await writeClipboard(text)) toastDone(`The text of n${turn} is on the clipboard`);
      else toastError("It was not copied", "the window may not use the clipboard");
    }

    async function anew(turn: number, kind: AnewRequest["kind"]) {
      const { firstDepth, messages: count, lastUid } = await wordsOf(turn);
      const limit = Math.min(count, mostPrompts);
      const { messages } = await api.getWindow(id, lastUid, firstDepth, limit);
      const message = messages.find(kind === "edit" ? canEdit : canRegenerate);
      if (message) compose({ kind, sessionId: id, uid: message.uid });
      else toastDone(kind === "edit" ? `n${turn} has no prompt` : `n${turn} has no answer`);
    }

    async function compare(turn: number) {
      // A turn of the path on screen stands for that path, which is set beside the branch nearest to it.
      if (isShown(turn)) return void runCommand("compare");
      const { leafUid: rightUid } = await api.locate(id, `n${turn}`);
      openComparison({ sessionId: id, leftUid: leafUid, rightUid });
    }

    return {
      view: (turn) => view(turn).catch(failed(`n${turn} could not be shown`)),
      continueFrom: (turn) => continueFrom(turn).catch(failed("The head could not be moved")),
      label: (turn, next) => label(turn, next).catch(failed(`n${turn} could not be labelled`)),
      compare: (turn) => compare(turn).catch(failed("They could not be compared")),
      anew: (turn, kind) => anew(turn, kind).catch(failed(`n${turn} could not be read`)),
      copy: (turn) => copy(turn).catch(failed("It was not copied")),
      lastVisitedChild: async (turn) => {
        let { leafTurn: child } = await api.locate(id, `n${turn}`);
        while (child > turn && parentOf(tree.skeleton, child) !== turn)
          child = parentOf(tree.skeleton, child);
        return child > turn ? child : -1;
      },
    };
  }, [client, tree, words, isShown, leafUid, onView]);
}

// Keeps where a message stands, so that the tree follows the transcript there without asking.
function remember(
  client: QueryClient,
  place: Pick<Location, "sessionId" | "uid" | "turn"> & Partial<Location>,
) {
  client.setQueryData(placeKey(place.sessionId, place.uid), place);
}
