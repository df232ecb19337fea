import { expect, test } from "vitest";
import type { LiveBlock, LiveRun } from "@/lib/api/api";
import { noLive } from "@/testing/fake-run";
import { currentDraft, type Live, mergeRun, unwritten } from "./live";

const run = { ...noLive.run, id: "run-1", sessionId: "s" };
const answer = (part: Partial<LiveRun>): LiveRun => ({
  ...noLive,
  sessionId: "s",
  running: true,
  run,
  draftId: 1,
  ...part,
});
const block = (index: number, revision: number, html = `${index}@${revision}`): LiveBlock => ({
  index,
  revision,
  type: "prose",
  html,
  text: "",
  toolName: "",
});
const merged = (...answers: Partial<LiveRun>[]): Live => {
  const [first, ...rest] = answers;
  return rest.reduce<Live>(
    (now, part) => mergeRun(now, answer(part)),
    mergeRun(undefined, answer(first ?? {})),
  );
};
const shown = (live: Live) => currentDraft(live)?.blocks.map(({ html }) => html);

test("blocks are put in their places, and those that have not changed stay the same objects", () => {
  const first = merged({ blocks: [block(0, 1), block(1, 2)], revision: 2 });
  const second = mergeRun(first, answer({ blocks: [block(1, 3), block(2, 4)], revision: 4 }));
  expect(shown(second)).toEqual(["0@1", "1@3", "2@4"]);
  expect(currentDraft(second)?.blocks[0]).toBe(currentDraft(first)?.blocks[0]);
  expect(second.revision).toBe(4);
});

test("an answer without changed blocks leaves them as they are", () => {
  const first = merged({ blocks: [block(0, 1)], revision: 1 });
  const second = mergeRun(first, answer({ revision: 1, notices: ["careful"] }));
  expect(currentDraft(second)?.blocks).toBe(currentDraft(first)?.blocks);
  expect(second.notices).toEqual(["careful"]);
});

test("an answer that was overtaken does not bring old text back", () => {
  const live = merged({ blocks: [block(0, 5)], revision: 5 }, { blocks: [block(0, 3)] });
  expect(shown(live)).toEqual(["0@5"]);
});

test("what became a message is kept until the message is on screen", () => {
  const live = merged(
    { blocks: [block(0, 1)], revision: 1 },
    { draftId: 2, lastUid: "m1", blocks: [block(0, 1, "next")], revision: 1 },
  );
  expect(unwritten(live, () => false, "").map(({ blocks }) => blocks[0]?.html)).toEqual([
    "0@1",
    "next",
  ]);
  expect(unwritten(live, (uid) => uid === "m1", "m1").map(({ blocks }) => blocks[0]?.html)).toEqual(
    ["next"],
  );
});

test("a draft whose message is read before the run tells of it is not shown twice", () => {
  const live = merged({ lastUid: "m1", blocks: [block(0, 1)], revision: 1 });
  const isShown = (uid: string) => uid === "m1" || uid === "m2";
  expect(unwritten(live, isShown, "m1")).toHaveLength(1);
  expect(unwritten(live, isShown, "m2")).toEqual([]);
  expect(unwritten(live, isShown, "")).toHaveLength(1);
});

test("a message that is shown takes with it what was written before it", () => {
  const live = merged(
    { blocks: [block(0, 1)] },
    { draftId: 2, lastUid: "m1", blocks: [block(0, 1)] },
    { draftId: 4, lastUid: "m3", blocks: [block(0, 1, "third")] },
  );
  expect(live.drafts).toHaveLength(3);
  expect(unwritten(live, (uid) => uid === "m3", "m3").map(({ id }) => id)).toEqual([4]);
});

test("an answer that is tried again is dropped", () => {
  const live = merged(
    { blocks: [block(0, 1)], revision: 1 },
    { draftId: 2, retry: "the server is busy" },
  );
  expect(unwritten(live, () => false, "").map(({ id }) => id)).toEqual([2]);
  expect(shown(live)).toEqual([]);
});

test("another run begins with nothing, also where its draft has the same number", () => {
  const first = merged({ blocks: [block(0, 1)], revision: 1 });
  const next = mergeRun(first, answer({ run: { ...run, id: "run-2" }, draftId: 1 }));
  expect(shown(next)).toEqual([]);
  expect(next.drafts).toHaveLength(1);
});

test("of drafts whose messages never come on screen only the last ones are kept", () => {
  let live = merged({ blocks: [block(0, 1)] });
  for (let id = 2; id < 40; id++)
    live = mergeRun(live, answer({ draftId: id, lastUid: `m${id}`, blocks: [block(0, 1)] }));
  expect(live.drafts.length).toBeLessThan(10);
  expect(currentDraft(live)?.id).toBe(39);
});
