// What can be taken back: the last reversible actions, newest last, for Edit > Undo and the toasts.

import { useSyncExternalStore } from "react";

interface Step {
  id: number;
  title: string;
  revert: () => Promise<void>;
}

const kept = 20;
let steps: readonly Step[] = [];
let nextID = 1;
const listeners = new Set<() => void>();

function replace(next: readonly Step[]) {
  steps = next;
  for (const listener of [...listeners]) listener();
}

/** Remembers how to take an action back and returns its number. The title says what was done: "Moved 3 sessions to the trash". */
export function rememberUndo(title: string, revert: () => Promise<void>): number {
  const step = { id: nextID++, title, revert };
  replace([...steps, step].slice(-kept));
  return step.id;
}

/** Takes back the action of that number, or the last one; each only once. False where there is none. */
export async function undo(id?: number): Promise<boolean> {
  const step = id === undefined ? steps.at(-1) : steps.find((step) => step.id === id);
  if (!step) return false;
  replace(steps.filter((other) => other !== step));
  await step.revert();
  return true;
}

/** What Undo would take back; undefined where there is nothing. */
export function useUndoTitle(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => steps.at(-1)?.title,
  );
}
