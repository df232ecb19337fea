import { QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Fake, installFake } from "@/testing/fake-api";
import { changeOf } from "@/testing/fake-change";
import { connectEvents } from "./api";
import { connectChanges, createQueryClient, keys, staleKeys } from "./query";

let fake: Fake;
beforeAll(() => {
  fake = installFake({ sessions: 0 });
  connectEvents();
});
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each([
  [
    "list",
    changeOf("list"),
    [["sessions"], ["facets"], ["about"], ["home"], ["links"], ["secrets"]],
  ],
  ["library", changeOf("library"), [["libraryState"]]],
  ["settings", changeOf("settings"), [["settings"]]],
  ["job", changeOf("job", "", "7"), [["job", "7"]]],
  ["head", changeOf("head", "s"), [["session", "s"], ["tree", "s"], ["sessions"], ["team", "s"]]],
  [
    "labels",
    changeOf("labels", "s"),
    [
      ["session", "s"],
      ["tree", "s"],
      ["window", "s"],
      ["digest", "s"],
      ["comparison", "s"],
    ],
  ],
  ["run", changeOf("run", "s"), []],
])("a change of the kind %s makes only its own keys stale", (_, change, stale) => {
  expect(staleKeys(change)).toEqual(stale);
});

test("several kinds of one change make each key stale once", () => {
  const found = staleKeys({ sessionId: "s", jobId: "", kinds: ["messages", "head", "approvals"] });
  expect(new Set(found.map(String)).size).toBe(found.length);
  expect(found).toContainEqual(["approvals", "s"]);
});

test("moving the head leaves pages, comparisons and costs alone", async () => {
  const client = createQueryClient();
  const disconnect = connectChanges(client);
  const fetched: string[] = [];
  for (const queryKey of [
    keys.session("a"),
    keys.tree("a"),
    keys.window("a", "leaf", 0),
    keys.comparison("a", "left", "right"),
    keys.modelCosts("a"),
    keys.facets(),
  ])
    new QueryObserver(client, {
      queryKey,
      queryFn: async () => {
        fetched.push(queryKey.join(" "));
        return queryKey.join(" ");
      },
    }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  fetched.length = 0;
  fake.emit("changed", changeOf("head", "a"));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched).toEqual(["session a", "tree a"]);
  disconnect();
});

test("a change of labels leaves the lists and other sessions alone", async () => {
  const client = createQueryClient();
  const disconnect = connectChanges(client);
  const fetched: string[] = [];
  const watch = (queryKey: readonly unknown[]) =>
    new QueryObserver(client, {
      queryKey,
      queryFn: async () => {
        fetched.push(queryKey.join(" "));
        return queryKey.join(" ");
      },
    }).subscribe(() => {});
  watch(keys.session("a"));
  watch(keys.session("b"));
  watch(keys.window("a", "leaf", 0));
  watch(keys.facets());
  await vi.advanceTimersByTimeAsync(0);
  fetched.length = 0;
  fake.emit("changed", changeOf("labels", "a"));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetched.sort()).toEqual(["session a", "window a leaf 0"]);
  disconnect();
});

test("answers that take long are waited for, not asked for again on top", async () => {
  const client = createQueryClient();
  const disconnect = connectChanges(client);
  let asked = 0;
  let answered = 0;
  new QueryObserver(client, {
    queryKey: keys.facets(),
    queryFn: async () => {
      asked++;
      await new Promise((wake) => setTimeout(wake, 1000));
      return ++answered;
    },
  }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(1000);
  for (let at = 1; at <= 300; at++) {
    fake.emit("changed", changeOf("list"));
    await vi.advanceTimersByTimeAsync(10);
    expect(asked - answered).toBeLessThanOrEqual(1);
  }
  const during = asked;
  await vi.advanceTimersByTimeAsync(3000);
  expect(asked).toBe(during + 1); // the last change is not lost
  expect(answered).toBe(asked);
  disconnect();
});

test("a storm of changes refetches now and then, and once after the last", async () => {
  const client = createQueryClient();
  const disconnect = connectChanges(client);
  let seen = 0;
  let count = 0;
  new QueryObserver(client, {
    queryKey: keys.facets(),
    queryFn: async () => {
      seen = count;
      return count;
    },
  }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const invalidate = vi.spyOn(client, "invalidateQueries");
  for (count = 1; count < 200; count++) {
    fake.emit("changed", changeOf("list"));
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(seen).toBeGreaterThanOrEqual(199);
  const refetches = invalidate.mock.calls.length / staleKeys(changeOf("list")).length;
  expect(refetches).toBeLessThanOrEqual(10);
  disconnect();
  fake.emit("changed", changeOf("list"));
  expect(invalidate.mock.calls.length / staleKeys(changeOf("list")).length).toBe(refetches);
});
