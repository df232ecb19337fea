// Text that is not sent yet, for each session. Text is stored between two starts, images until the window closes.

import { useCallback } from "react";
import type { Upload } from "@/lib/api/api";
import type { Citation } from "@/lib/store/compose";
import { createStore, useStore } from "@/lib/store/store";
import { changeWindowState, useWindowState } from "@/lib/store/window-state";

type Texts = Record<string, string>;
const noTexts: Texts = {};
const kept = 100;
/** A longer text is not stored: it would be written at every pause. */
const longest = 200_000;

/** The draft of a session, and a function to change it. The name is the session's id; empty for a new session. */
export function useDraftText(name: string): [string, (text: string) => void] {
  const [texts, setTexts] = useWindowState("drafts", noTexts);
  const set = useCallback(
    (text: string) => setTexts((now) => putDraft(now, name, text)),
    [name, setTexts],
  );
  const text = texts[name];
  return [typeof text === "string" ? text : "", set];
}

/** Restores a text to a session's draft, before its current text, with the messages it cites. */
export function giveBack(name: string, text: string, citations: readonly Citation[]): void {
  changeWindowState("drafts", noTexts, (now) => {
    const written = now[name];
    const isEmpty = typeof written !== "string" || written.trim() === "";
    return putDraft(now, name, isEmpty ? text : `${text}\n\n${written}`);
  });
  changeWindowState("draftCitations", noneCited, (now) =>
    putCitations(now, name, withCitations(citations, readCitations(now[name]))),
  );
}

/** The texts with one more, the newest last; an empty one is removed. */
export function putDraft(texts: Texts, name: string, text: string): Texts {
  const { [name]: _, ...others } = texts;
  if (text === "" || text.length > longest) return others;
  return Object.fromEntries(Object.entries({ ...others, [name]: text }).slice(-kept));
}

/** Adds a quote below the text, with room for a comment on it. */
export function withQuote(text: string, quote: string): string {
  const before = text.trimEnd();
  return before === "" ? `${quote}\n\n` : `${before}\n\n${quote}\n\n`;
}

const noCitations: readonly Citation[] = [];
type CitationsOf = Record<string, readonly Citation[]>;
const noneCited: CitationsOf = {};

/** The messages that a draft quotes, and a function to change them; stored as long as its text. */
export function useDraftCitations(
  name: string,
): [readonly Citation[], (change: (now: readonly Citation[]) => readonly Citation[]) => void] {
  const [all, setAll] = useWindowState("draftCitations", noneCited);
  const set = useCallback(
    (change: (now: readonly Citation[]) => readonly Citation[]) =>
      setAll((now) => putCitations(now, name, change(readCitations(now[name])))),
    [name, setAll],
  );
  return [readCitations(all[name]), set];
}

/** The citations with those of one more draft, the newest last; an empty list is removed. */
function putCitations(all: CitationsOf, name: string, next: readonly Citation[]): CitationsOf {
  const { [name]: _, ...others } = all;
  if (next.length === 0) return others;
  return Object.fromEntries(Object.entries({ ...others, [name]: next }).slice(-kept));
}

/** The stored value may be of another version. */
function readCitations(kept: unknown): readonly Citation[] {
  return Array.isArray(kept) ? kept : noCitations;
}

/** Adds citations, each message once. */
export function withCitations(
  now: readonly Citation[],
  more: readonly Citation[],
): readonly Citation[] {
  return [...now, ...more.filter(({ uid }) => !now.some((one) => one.uid === uid))];
}

const noImages: readonly Upload[] = [];
const images = createStore<ReadonlyMap<string, readonly Upload[]>>(new Map());

/** The images of a draft. */
export function useDraftImages(name: string): readonly Upload[] {
  return useStore(images, (now) => now.get(name) ?? noImages);
}

/** Adds images, each once: an engine may report a drop twice. */
export function withImages(now: readonly Upload[], more: readonly Upload[]): readonly Upload[] {
  const added = more.filter((image) => !now.some(({ base64 }) => base64 === image.base64));
  return added.length === 0 ? now : [...now, ...added];
}

/** Changes the images of a draft. */
export function setDraftImages(
  name: string,
  change: (now: readonly Upload[]) => readonly Upload[],
): void {
  const all = new Map(images.get());
  const next = change(all.get(name) ?? noImages);
  if (next.length === 0) all.delete(name);
  else all.set(name, next);
  images.set(all);
}
