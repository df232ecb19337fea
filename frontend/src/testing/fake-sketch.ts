import { emptySkeleton, prompt, type Skeleton } from "@/lib/tree/skeleton";

/** A skeleton from parents alone, for tests: the first child continues its parent's branch, others open one. All are prompts of one message. */
export function sketch(parents: ArrayLike<number>): Skeleton {
  const count = parents.length;
  const skeleton = emptySkeleton(count);
  const continued = new Uint8Array(count);
  let branches = 0;
  for (let turn = 0; turn < count; turn++) {
    const above = parents[turn] ?? -1;
    const goesOn = above >= 0 && !continued[above];
    if (goesOn) continued[above] = 1;
    skeleton.parent[turn] = above;
    skeleton.parentNumber[turn] = above;
    skeleton.branch[turn] = goesOn ? (skeleton.branch[above] ?? 0) : branches++;
    skeleton.firstDepth[turn] = above < 0 ? 0 : (skeleton.firstDepth[above] ?? 0) + 1;
    skeleton.createdAtMs[turn] = turn;
  }
  skeleton.flags.fill(prompt);
  skeleton.messages.fill(1);
  return skeleton;
}
