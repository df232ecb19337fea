import { useCallback, useSyncExternalStore } from "react";

/** What is open of a session's cards and folded lines, by their names. It outlives rows and switches of branch. */
export class Folds {
  #all = false;
  /** Those that are not as #all says. */
  readonly #others = new Set<string>();
  readonly #listeners = new Set<() => void>();

  isOpen(name: string): boolean {
    return this.#all !== this.#others.has(name);
  }

  set(name: string, open: boolean): void {
    if (open === this.isOpen(name)) return;
    if (this.#others.has(name)) this.#others.delete(name);
    else this.#others.add(name);
    this.#announce();
  }

  /** Opens all of them, or closes all where all are open. */
  setAll(open: boolean): void {
    this.#all = open;
    this.#others.clear();
    this.#announce();
  }

  get allOpen(): boolean {
    return this.#all;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  #announce() {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Whether one is open, and the way to turn it. */
export function useFold(folds: Folds, name: string): [boolean, () => void] {
  const open = useSyncExternalStore(folds.subscribe, () => folds.isOpen(name));
  const toggle = useCallback(() => folds.set(name, !folds.isOpen(name)), [folds, name]);
  return [open, toggle];
}
