import { prompt, type Skeleton } from "./skeleton";

/** A skeleton from parents alone, for tests: the first child goes on in its parent's branch, others open one. All are prompts. */
export function sketch(parents: ArrayLike<number>): Skeleton {
  const count = parents.length;
  const parent = Int32Array.from(parents);
  const branch = new Int32Array(count);
  const continued = new Set<number>();
  let branches = 0;
  for (let turn = 0; turn < count; turn++) {
    const above = parent[turn] ?? -1;
    const goesOn = above >= 0 && !continued.has(above);
    if (goesOn) continued.add(above);
    branch[turn] = goesOn ? (branch[above] ?? 0) : branches++;
  }
  return { count, parent, branch, flags: new Uint8Array(count).fill(prompt) };
}
