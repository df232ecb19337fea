import { useCallback } from "react";
import { createStore, useStore } from "@/lib/store/store";

/** What is open of a session's cards and folded lines, by their names. It outlives rows and switches of branch. */
export class Folds {
  /** All are open, or all are folded, but for the others. */
  readonly state = createStore({ all: false, others: new Set<string>() as ReadonlySet<string> });

  isOpen(name: string): boolean {
    const { all, others } = this.state.get();
    return all !== others.has(name);
  }

  set(name: string, open: boolean): void {
    if (open === this.isOpen(name)) return;
    const { all, others } = this.state.get();
    const next = new Set(others);
    if (!next.delete(name)) next.add(name);
    this.state.set({ all, others: next });
  }

  /** Opens all of them, or folds all if all are open. */
  setAll(open: boolean): void {
    this.state.set({ all: open, others: new Set() });
  }

  get allOpen(): boolean {
    return this.state.get().all;
  }
}

/** Whether one is open, and the way to turn it. */
export function useFold(folds: Folds, name: string): [boolean, () => void] {
  const open = useStore(folds.state, () => folds.isOpen(name));
  const toggle = useCallback(() => folds.set(name, !folds.isOpen(name)), [folds, name]);
  return [open, toggle];
}
