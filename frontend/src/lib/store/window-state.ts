// What the window stores between two starts: one JSON document that Go stores. Everything in it
// may be missing or in an older format; the code that reads a piece checks it.

import { useCallback } from "react";
import { api } from "@/lib/api/api";
import { createStore, useStore } from "./store";

const documentKey = "window";
const pauseMs = 300;

const pieces = createStore<Record<string, unknown>>({});
let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads the document; called once, before the first render. A document that cannot be read counts as empty. */
export async function loadWindowState(): Promise<void> {
  try {
    const read: unknown = JSON.parse((await api.getState(documentKey)) || "{}");
    pieces.set(typeof read === "object" && read !== null ? { ...read } : {});
  } catch {
    pieces.set({});
  }
}

/** Writes pending changes at once, for example when the window closes. */
export function flushWindowState(): void {
  // The window works without its stored state; the user could do nothing about it here.
  if (timer !== undefined) saveWindowState().catch(() => {});
}

/** Writes the document; once the promise is fulfilled, it is in the file. */
export async function saveWindowState(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await api.setState(documentKey, JSON.stringify(pieces.get()));
}

function write(name: string, value: unknown) {
  pieces.set({ ...pieces.get(), [name]: value });
  clearTimeout(timer);
  timer = setTimeout(flushWindowState, pauseMs);
}

/**
 * A piece of the window's state and a function to change it, like useState. The stored value is used
 * if it has the type of `initial`. Values are compared by identity: define `initial` outside of
 * the component.
 */
export function useWindowState<T>(
  name: string,
  initial: T,
): [T, (next: T | ((now: T) => T)) => void] {
  const value = useStore(pieces, (now) => read(now, name, initial));
  const set = useCallback(
    (next: T | ((now: T) => T)) =>
      changeWindowState(name, initial, next instanceof Function ? next : () => next),
    [name, initial],
  );
  return [value, set];
}

/** The current value of a piece of the window's state, outside of components; see useWindowState. */
export function readWindowState<T>(name: string, initial: T): T {
  return read(pieces.get(), name, initial);
}

/** Changes a piece of the window's state from outside of components. */
export function changeWindowState<T>(name: string, initial: T, change: (now: T) => T): void {
  write(name, change(readWindowState(name, initial)));
}

function read<T>(pieces: Record<string, unknown>, name: string, initial: T): T {
  const kept = pieces[name];
  if (kept === undefined || typeof kept !== typeof initial) return initial;
  if (Array.isArray(kept) !== Array.isArray(initial)) return initial;
  return kept as T;
}
