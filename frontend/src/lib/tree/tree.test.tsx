import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { useTree } from "./tree";

describe("a tree", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  function opened() {
    const read = vi.spyOn(api, "getSkeleton").mockReturnValue(new Promise(() => {}));
    const client = new QueryClient();
    const wrapper = ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    );
    return { read, client, open: () => renderHook(() => useTree("s1"), { wrapper }) };
  }

  /** Requests messages of a session; the answer arrives when the returned function is called. */
  function ask(client: QueryClient, sessionId: string): () => void {
    let answer = () => {};
    const queryFn = () => new Promise((come) => (answer = () => come({})));
    void client.prefetchQuery({ queryKey: keys.window(sessionId, "leaf", 0), queryFn });
    return () => answer();
  }

  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  it("is read after the first messages of its session, not those of another", async () => {
    const { read, client, open } = opened();
    const [ours, others] = [ask(client, "s1"), ask(client, "s2")];
    open();
    others();
    await wait(100);
    expect(read).not.toHaveBeenCalled();
    ours();
    await wait(1);
    expect(read).not.toHaveBeenCalled(); // they are not painted yet
    await wait(100);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is read with the next frame where nobody has asked for messages", async () => {
    const { read, open } = opened();
    open();
    await wait(100);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is read in any case where no messages come", async () => {
    const { read, client, open } = opened();
    ask(client, "s1");
    open();
    await wait(100);
    expect(read).not.toHaveBeenCalled();
    await wait(2000);
    expect(read).toHaveBeenCalledTimes(1);
  });
});
