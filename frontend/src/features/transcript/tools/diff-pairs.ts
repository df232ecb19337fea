import type { DiffLine } from "@/lib/api/api";

/** A line of a diff in two columns; a side is undefined where there is nothing. */
interface LinePair {
  before: DiffLine | undefined;
  after: DiffLine | undefined;
}

/** Puts what was removed beside what was added in its place; unchanged lines stand on both sides. */
export function pairLines(lines: readonly DiffLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ before: removed[at], after: added[at] });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.op === "-") {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.op === "+") {
      added.push(line);
    } else {
      flush();
      pairs.push({ before: line, after: line });
    }
  }
  flush();
  return pairs;
}
