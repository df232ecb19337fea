import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { compareWith, copyPart, type Label, labelTurn, moveHead } from "@/actions/session-changes";
import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type Location, type Turn } from "@/lib/api/api";
import { quoteOf } from "@/lib/format/quote";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import type { OnView } from "@/lib/session/location";
import { canEdit, canRegenerate, compose, type SiblingRequest } from "@/lib/store/compose";
import { parentOf, partAt, type Tree } from "@/lib/tree/skeleton";
import { placeKey } from "@/lib/tree/tree";
import { calledTurn } from "./turn-name";
import type { TurnWords } from "./turn-words";

/** The prompt of a turn and its first answer are among so many messages at its beginning. */
const mostPrompts = 40;

/** The actions on a turn, named by its number. A failure is shown in a toast. */
export interface TurnActions {
  /** Shows the turn in the transcript: on the path on screen where it is on it, else on the one last visited through it. */
  view: (turn: number) => void;
  /** Moves the head to the end of the turn: the next message becomes its child. */
  branchFrom: (turn: number) => void;
  /** Labels the turn; an empty text removes the label. */
  label: (turn: number, label: Label) => void;
  copy: (turn: number) => void;
  /** Edits its prompt, or lets a model answer it again: the new message becomes a sibling. */
  addSibling: (turn: number, kind: SiblingRequest["kind"]) => void;
  /** Sets the branch through the turn beside the path on screen, */
  compare: (turn: number) => void;
  /** or beside that through another turn. */
  comparePair: (left: number, right: number) => void;
  /** Branches from the end of the turn, with the cursor in the composer. */
  branchAndWrite: (turn: number) => void;
  /** Adds what the turn ends with to the text in the composer, as a quote. */
  quote: (turn: number) => void;
  /** The turn below it that was visited last; -1 if none was visited. */
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
      if (!found) throw new Error(t("the turn is not in this session"));
      return found;
    }

    // Where a turn begins, as api.locate returns it.
    const placeOf = (turn: number, uid: string) => ({
      sessionId: id,
      uid,
      turn: tree.skeleton.number[turn] ?? turn,
      depth: tree.skeleton.firstDepth[turn] ?? 0,
    });

    async function view(turn: number) {
      const number = ++asked.current;
      const { firstUid: focusUid } = await wordsOf(turn);
      if (number !== asked.current) return;
      if (isShown(turn)) {
        remember(client, placeOf(turn, focusUid));
        return onView({ leafUid, focusUid });
      }
      const location = await api.locate(id, (await wordsOf(turn)).lastUid);
      remember(client, { ...location, ...placeOf(turn, focusUid) });
      remember(client, {
        ...location,
        uid: location.leafUid,
        turn: location.leafTurn,
        depth: Number.MAX_SAFE_INTEGER,
      });
      if (number !== asked.current) return;
      onView({ leafUid: location.leafUid, focusUid });
    }

    async function branchFrom(turn: number) {
      asked.current++;
      const found = await wordsOf(turn);
      const { firstUid: focusUid, lastUid } = found;
      await moveHead(client, {
        sessionId: id,
        from: tree.head,
        to: lastUid,
        name: calledTurn(found),
        onMoved: () => onView({ leafUid: lastUid, focusUid }),
        onUndone: () => onView({ leafUid }),
      });
    }

    const label = (turn: number, next: Label) =>
      labelTurn(client, {
        sessionId: id,
        turn,
        uid: async () => (await wordsOf(turn)).firstUid,
        before: { text: tree.labels.get(turn) ?? "", color: tree.colors.get(turn) ?? "" },
        next,
      });

    const copy = async (turn: number) => copyPart(id, (await wordsOf(turn)).firstUid, true);

    async function addSibling(turn: number, kind: SiblingRequest["kind"]) {
      const { firstDepth, messages: count, lastUid } = await wordsOf(turn);
      const limit = Math.min(count, mostPrompts);
      const { messages } = await api.getWindow(id, lastUid, firstDepth, limit);
      const message = messages.find(kind === "edit" ? canEdit : canRegenerate);
      if (message) compose({ kind, sessionId: id, uid: message.uid });
      else toastDone(kind === "edit" ? t("This turn has no prompt") : t("This turn has no answer"));
    }

    async function compare(turn: number) {
      // A turn on the path on screen means that path, which is shown beside its nearest branch.
      if (isShown(turn)) return void runCommand("compare");
      await compareWith(id, leafUid, (await wordsOf(turn)).lastUid);
    }

    async function comparePair(left: number, right: number) {
      const { leafUid: leftUid } = await api.locate(id, (await wordsOf(left)).lastUid);
      await compareWith(id, leftUid, (await wordsOf(right)).lastUid);
    }

    return {
      comparePair: (left, right) =>
        comparePair(left, right).catch(failed(t("Could not compare the branches"))),
      branchAndWrite: (turn) =>
        branchFrom(turn)
          .then(() => runCommand("focus-composer"))
          .catch(failed(t("Could not continue from here"))),
      quote: (turn) =>
        wordsOf(turn)
          .then((found) => quoteTurn(id, found))
          .catch(failed(t("Could not read the turn"))),
      view: (turn) => view(turn).catch(failed(t("Could not show the turn"))),
      branchFrom: (turn) => branchFrom(turn).catch(failed(t("Could not continue from here"))),
      label: (turn, next) => label(turn, next).catch(failed(t("Could not label the turn"))),
      compare: (turn) => compare(turn).catch(failed(t("Could not compare the branches"))),
      addSibling: (turn, kind) =>
        addSibling(turn, kind).catch(failed(t("Could not read the turn"))),
      copy: (turn) => copy(turn).catch(failed(t("Could not copy"))),
      lastVisitedChild: async (turn) => {
        const { leafTurn } = await api.locate(id, (await wordsOf(turn)).lastUid);
        let child = partAt(tree.skeleton, leafTurn, Number.POSITIVE_INFINITY);
        while (child > turn && parentOf(tree.skeleton, child) !== turn)
          child = parentOf(tree.skeleton, child);
        return child > turn ? child : -1;
      },
    };
  }, [client, tree, words, isShown, leafUid, onView]);
}

// Caches the position of a message, so that the tree follows the transcript there without asking.
function remember(
  client: QueryClient,
  place: Pick<Location, "sessionId" | "uid" | "turn" | "depth"> & Partial<Location>,
) {
  client.setQueryData(placeKey(place.sessionId, place.uid), place);
}

// What a turn ends with, or where that has no text the prompt that it begins with.
async function quoteTurn(sessionId: string, { firstUid, lastUid, node }: Turn): Promise<void> {
  const answer = quoteOf(await api.getMessageMarkdown(sessionId, lastUid));
  const uid = answer === "" ? firstUid : lastUid;
  const text = answer || quoteOf(await api.getMessageMarkdown(sessionId, firstUid));
  if (text === "") return void toastDone(t("This turn has no text to quote"));
  compose({ kind: "quote", sessionId, cites: [{ uid, turn: node }], text });
  runCommand("focus-composer");
}
