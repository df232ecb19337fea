import type { WindowView } from "@/lib/api/api";
import { pageSize } from "./use-path";

interface Leaves {
  a: string;
  b: string;
  /** Messages on the path to b. */
  length: number;
}

/**
 * The depth of the first message of the path to `b` that is not on the path to `a`. Reads the
 * logarithm of the pages.
 */
export async function findFork(
  read: (leafUid: string, page: number) => Promise<WindowView>,
  { a, b, length }: Leaves,
): Promise<number> {
  const differs = async (page: number): Promise<number | undefined> => {
    const [before, after] = await Promise.all([read(a, page), read(b, page)]);
    const at = after.messages.findIndex(({ uid }, offset) => before.messages[offset]?.uid !== uid);
    return at < 0 ? undefined : page * pageSize + at;
  };
  // A path that differs in a page differs in all later ones.
  let low = 0;
  let high = Math.max(0, Math.ceil(length / pageSize) - 1);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await differs(middle)) === undefined) low = middle + 1;
    else high = middle;
  }
  return (await differs(low)) ?? Math.max(0, length - 1);
}
