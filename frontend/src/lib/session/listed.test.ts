import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import type { Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { FakeLibrary } from "@/testing/fake-library";
import { takeListed } from "./listed";

const library = new FakeLibrary();
library.grow(2);
const [first, second] = library.sessions as [Session, Session];
const filter = { limit: 2 } as never;
let client: QueryClient;

beforeEach(() => {
  client = new QueryClient({
    defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } },
  });
  client.setQueryData(keys.sessions(filter), {
    pages: [
      { sessions: [first], total: 2 },
      { sessions: [second], total: 2 },
    ],
    pageParams: [0, 1],
  });
});

test("a session of the list is known at once, and asked for all the same", () => {
  expect(takeListed(client, second.id)).toBe(second);
  expect(client.getQueryData(keys.session(second.id))).toBe(second);
  expect(client.getQueryState(keys.session(second.id))?.isInvalidated).toBe(true);
});

test("what is known of a session stays", () => {
  const newer = { ...first, title: "another one" };
  client.setQueryData(keys.session(first.id), newer);
  expect(takeListed(client, first.id)).toBe(newer);
  expect(client.getQueryState(keys.session(first.id))?.isInvalidated).toBe(false);
});

test("a session that no list has is not known", () => {
  expect(takeListed(client, "elsewhere")).toBeUndefined();
  expect(client.getQueryData(keys.session("elsewhere"))).toBeUndefined();
});
