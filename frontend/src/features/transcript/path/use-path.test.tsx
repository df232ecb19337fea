import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { api, type MessageView, type WindowView } from "@/lib/api/api";
import { knownLength, pageSize, usePath } from "./use-path";

afterEach(() => void vi.restoreAllMocks());

const length = 3 * pageSize;

function reading() {
  const asked: number[] = [];
  vi.spyOn(api, "getWindow").mockImplementation(async (_id, _leaf, from) => {
    asked.push(from / pageSize);
    const messages = Array.from(
      { length: pageSize },
      (_, at) => ({ uid: `m${from + at}`, blocks: [] }) as unknown as MessageView,
    );
    return { length, messages } as unknown as WindowView;
  });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const seen = { first: 0, last: 14 };
  const { result, rerender } = renderHook(
    ({ isOpening }) => usePath("s1", "leaf", seen, isOpening),
    { wrapper, initialProps: { isOpening: true } },
  );
  return { client, asked, path: () => result.current, rerender };
}

test("the page below is asked for when the one that a path opens with has been painted", async () => {
  const { asked, path, rerender } = reading();
  await waitFor(() => expect(path().length).toBe(length));
  rerender({ isOpening: true });
  expect(asked).toEqual([0]);
  rerender({ isOpening: false });
  await waitFor(() => expect(path().isReady).toBe(true));
  expect(asked).toEqual([0, 1]);
});

test("the length of a path is known as soon as the page that it opens with is here", async () => {
  const { client, path } = reading();
  expect(knownLength(client, "s1", "leaf", 0)).toBeUndefined();
  await waitFor(() => expect(path().length).toBe(length));
  expect(knownLength(client, "s1", "leaf", 0)).toBe(length);
  expect(knownLength(client, "s1", "leaf", pageSize + 1)).toBe(length);
  expect(knownLength(client, "s1", "leaf", 2 * pageSize)).toBeUndefined();
});
