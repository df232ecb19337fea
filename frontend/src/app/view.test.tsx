import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { api, type Session, type WindowView } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { installFake } from "@/testing/fake-api";
import { useView } from "./view";

/** A window that shows the path to `leaf` of a session whose head is `head`. */
async function looking(leaf: string, head: string) {
  installFake({ sessions: 0 });
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  const moveHead = (headUid: string) =>
    act(async () => {
      client.setQueryData(keys.session("s1"), { id: "s1", headUid } as Session);
      // Queries tell of it in a task of their own.
      await new Promise((wake) => setTimeout(wake));
    });
  await moveHead(head);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(useView, { wrapper });
  await act(() => result.current.open("s1"));
  act(() => result.current.show({ leafUid: leaf }));
  return { view: () => result.current, moveHead };
}

test("the head is shown once a run has moved it, not before", async () => {
  const { view, moveHead } = await looking("leaf", "head");
  act(() => view().follow("s1", "head"));
  expect(view().leafUid).toBe("leaf");
  await moveHead("prompt");
  expect(view().leafUid).toBe("prompt");
  await moveHead("answer");
  expect(view().leafUid).toBe("answer");
});

test("the head is shown where the run was done before the window was notified that it had begun", async () => {
  const { view, moveHead } = await looking("leaf", "head");
  await moveHead("answer");
  act(() => view().follow("s1", "head"));
  expect(view().leafUid).toBe("answer");
});

test("a user who navigates stays there when the head moves", async () => {
  const { view, moveHead } = await looking("leaf", "head");
  act(() => view().follow("s1", "head"));
  act(() => view().show({ leafUid: "other" }));
  await moveHead("answer");
  expect(view().leafUid).toBe("other");
});

afterEach(() => void vi.restoreAllMocks());

/** A window that knows some sessions; their messages come when `answer` is called. */
function waiting(...ids: string[]) {
  installFake({ sessions: 0 });
  const answers = new Map<string, () => void>();
  vi.spyOn(api, "getWindow").mockImplementation(
    (id) =>
      new Promise((come) =>
        answers.set(id, () => come({ length: 0, messages: [] } as unknown as WindowView)),
      ),
  );
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  for (const id of ids)
    client.setQueryData(keys.session(id), { id, headUid: `head of ${id}` } as Session);
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(useView, { wrapper });
  act(() => result.current.close());
  return { view: () => result.current, answer: (id: string) => answers.get(id)?.() };
}

test("a session is shown with its messages, the last one that was asked for", async () => {
  const { view, answer } = waiting("s1", "s2");
  const first = view().open("s1");
  const second = view().open("s2");
  answer("s1");
  await act(() => first);
  expect(view().sessionId).toBe("");
  answer("s2");
  await act(() => second);
  expect(view().sessionId).toBe("s2");
});

test("a session whose messages do not come is shown without them after a moment", async () => {
  const { view } = waiting("s1");
  await act(() => view().open("s1"));
  expect(view().sessionId).toBe("s1");
});

test("a user who stays is not moved to an earlier request", async () => {
  const { view, answer } = waiting("s1", "s2");
  const there = view().open("s1");
  answer("s1");
  await act(() => there);
  const elsewhere = view().open("s2");
  await act(() => view().open("s1"));
  answer("s2");
  await act(() => elsewhere);
  expect(view().sessionId).toBe("s1");
  const again = view().open("s2");
  act(() => view().close());
  await act(() => again);
  expect(view().sessionId).toBe("");
});

test("navigating there and back at once ends where it began, also where the way back was drawn before", async () => {
  const { view, answer } = waiting("s1", "s2");
  for (const id of ["s1", "s2"]) {
    const opened = view().open(id);
    answer(id);
    await act(() => opened);
  }
  const { open } = view();
  await act(() => view().open("s1"));
  await act(() => open("s2"));
  expect(view().sessionId).toBe("s2");
});
