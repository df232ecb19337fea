import { expect, it } from "vitest";
import type { MessageView, WindowView } from "@/lib/api/api";
import { findFork } from "./fork";
import { pageSize } from "./use-path";

/** Reads paths that are the same up to the fork. */
function paths(fork: number, lengths: Record<string, number>) {
  let reads = 0;
  const read = async (leafUid: string, page: number): Promise<WindowView> => {
    reads++;
    const length = lengths[leafUid] ?? 0;
    const from = page * pageSize;
    const count = Math.max(0, Math.min(pageSize, length - from));
    const messages = Array.from({ length: count }, (_, at) => ({
      uid: from + at < fork ? `${from + at}` : `${leafUid}${from + at}`,
    })) as MessageView[];
    return { leafUid, length, from, messages };
  };
  return { read, reads: () => reads };
}

it("finds where two paths part, wherever that is", async () => {
  for (const fork of [0, 1, 49, 50, 51, 777, 9_999]) {
    const { read } = paths(fork, { a: 12_000, b: 10_000 });
    expect(await findFork(read, { a: "a", b: "b", length: 10_000 })).toBe(fork);
  }
});

it("reads few pages of long paths", async () => {
  const { read, reads } = paths(654_321, { a: 1_000_000, b: 1_000_000 });
  expect(await findFork(read, { a: "a", b: "b", length: 1_000_000 })).toBe(654_321);
  expect(reads()).toBeLessThan(40);
});

it("answers with the end of a path that is all shared", async () => {
  const { read } = paths(300, { a: 900, b: 300 });
  expect(await findFork(read, { a: "a", b: "b", length: 300 })).toBe(299);
});
