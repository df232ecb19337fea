import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import type { Session } from "@/lib/api";
import { keys } from "@/lib/query";
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
  act(() => result.current.open("s1"));
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

test("the head is shown where the run was done before the window heard that it had begun", async () => {
  const { view, moveHead } = await looking("leaf", "head");
  await moveHead("answer");
  act(() => view().follow("s1", "head"));
  expect(view().leafUid).toBe("answer");
});

test("who goes elsewhere is not taken back when the head moves", async () => {
  const { view, moveHead } = await looking("leaf", "head");
  act(() => view().follow("s1", "head"));
  act(() => view().show({ leafUid: "other" }));
  await moveHead("answer");
  expect(view().leafUid).toBe("other");
});
