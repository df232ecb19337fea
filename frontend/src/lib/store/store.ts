// State outside of React that components follow, and events that have no state.

import { useSyncExternalStore } from "react";

/** The callbacks of one event. */
export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>();

  get size(): number {
    return this.#all.size;
  }

  /** Calls back at every event until the returned function is called. */
  readonly add = (listener: (...args: Args) => void): (() => void) => {
    this.#all.add(listener);
    return () => {
      this.#all.delete(listener);
    };
  };

  /** Calls the listeners of this moment: those that are added by one of them wait for the next event. */
  notify(...args: Args): void {
    for (const listener of [...this.#all]) listener(...args);
  }
}

/** A value that changes, and whoever follows it. */
export interface Store<State> {
  get: () => State;
  /** Replaces the value. Listeners are called unless it is the same one. */
  set: (next: State) => void;
  subscribe: (listener: () => void) => () => void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Listeners();
  return {
    get: () => state,
    set: (next) => {
      if (Object.is(next, state)) return;
      state = next;
      listeners.notify();
    },
    subscribe: listeners.add,
  };
}

/**
 * A part of a store's value. The component is rendered again only if the part is another one, by identity:
 * `select` must not create objects.
 */
export function useStore<State, Part>(store: Store<State>, select: (state: State) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}
