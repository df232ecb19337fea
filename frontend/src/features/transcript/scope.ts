import { createContext, useContext } from "react";
import type { Link, MessageView, Session } from "@/lib/api/api";
import type { Folds } from "./path/folds";
import type { QuotePlace } from "./quote/use-quote";

/** What can be done with a message of the transcript. */
export interface MessageActions {
  /** Makes it the head: the next message becomes its child. */
  branchFrom: (message: MessageView) => void;
  /** Quotes the selection, else the whole message, in a prompt below it (branch) or in the draft (here). */
  quote: (message: MessageView, place: QuotePlace) => void;
  /** Opens a prompt in the composer, to be sent as a sibling. */
  edit: (message: MessageView) => void;
  /** Lets the model answer again, as a sibling; another model if `choose`. */
  regenerate: (message: MessageView, choose: boolean) => void;
  copyMarkdown: (message: MessageView) => void;
  /** Copies the turn that it is of. */
  copyTurn: (message: MessageView) => void;
  /** Copies the path that ends with it. */
  copyPath: (message: MessageView) => void;
  copyUid: (message: MessageView) => void;
  /** Asks for the tool that continues from it. */
  handOver: (message: MessageView) => void;
  /** Opens the field for the label of its turn. */
  editLabel: (message: MessageView) => void;
  setLabel: (message: MessageView, text: string) => void;
  showInTree: (message: MessageView) => void;
  /** Shows the request that the answer resulted from. */
  showSent: (message: MessageView) => void;
  /** Shows the path through the alternative before (-1) or after (1) it. */
  stepSibling: (message: MessageView, step: 1 | -1) => void;
  /** Shows the path through one of its alternatives. */
  showSibling: (message: MessageView, uid: string) => void;
  /** Sets the path through one of its alternatives beside this one. */
  compareSibling: (message: MessageView, uid: string) => void;
}

/** What every part of a transcript needs to know. */
export interface TranscriptScope {
  session: Session;
  /** The agents of a session that has several, in the order of their colors. */
  authors: readonly string[];
  /** How the session hangs together with others. */
  links: readonly Link[];
  folds: Folds;
  /** The bars of turns in the digest. */
  works: Folds;
  /** There is room for two columns of code. */
  wide: boolean;
  /** The message whose label is being edited. */
  labelling: string | null;
  stopLabelling: () => void;
  /** The label of the turn that a message is of, also where it is not the turn's first. */
  labelOf: (message: MessageView) => string;
  actions: MessageActions;
}

/** Set by the transcript around its rows. */
export const TranscriptContext = createContext<TranscriptScope | undefined>(undefined);

/** The transcript around this part. */
export function useTranscript(): TranscriptScope {
  const scope = useContext(TranscriptContext);
  if (!scope) throw new Error("there is no transcript around this part");
  return scope;
}
