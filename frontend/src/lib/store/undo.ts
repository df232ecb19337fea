// The actions that can be undone: the last reversible ones, newest last, for Edit > Undo and the toasts.

import { createStore, useStore } from "./store";

interface Step {
  id: number;
  title: string;
  revert: () => Promise<void>;
}

const kept = 20;
const steps = createStore<readonly Step[]>([]);
let nextID = 1;
/** Stores how to undo an action and returns its number. The title describes the action: "Moved 3 sessions to the trash". */
export function rememberUndo(title: string, revert: () => Promise<void>): number {
  const step = { id: nextID++, title, revert };
  steps.set([...steps.get(), step].slice(-kept));
  return step.id;
}

/** Undoes the action with that number, or the last one; each only once. Returns false if none exists. */
export async function undo(id?: number): Promise<boolean> {
  const step = id === undefined ? steps.get().at(-1) : steps.get().find((step) => step.id === id);
  if (!step) return false;
  steps.set(steps.get().filter((other) => other !== step));
  await step.revert();
  return true;
}

/** The action that Undo would undo; undefined if none exists. */
export function useUndoTitle(): string | undefined {
  return useStore(steps, (now) => now.at(-1)?.title);
}
