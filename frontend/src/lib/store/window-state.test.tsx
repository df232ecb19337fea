import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { installFake } from "@/testing/fake-api";
import { flushWindowState, loadWindowState, useWindowState } from "./window-state";

const noLeaves: Record<string, string> = {};

test("what was kept comes back after a new start", async () => {
  installFake({ sessions: 0 });
  await loadWindowState();
  const { result } = renderHook(() => useWindowState("width", 280));
  expect(result.current[0]).toBe(280);
  act(() => result.current[1](300));
  act(() => result.current[1]((now) => now + 20));
  expect(result.current[0]).toBe(320);
  flushWindowState();
  await act(loadWindowState);
  expect(result.current[0]).toBe(320);
});

test.each(["", "not json", "null", "[]", '{"width":"wide","leaves":[1]}'])(
  "a document of %j counts as far as it is sound",
  async (kept) => {
    const { bindings } = installFake({ sessions: 0 });
    bindings.GetState = async () => kept;
    await loadWindowState();
    const width = renderHook(() => useWindowState("width", 280));
    const leaves = renderHook(() => useWindowState("leaves", noLeaves));
    expect(width.result.current[0]).toBe(280);
    expect(leaves.result.current[0]).toBe(noLeaves);
  },
);

test("a document that cannot be read does not stop the window", async () => {
  const { bindings } = installFake({ sessions: 0 });
  bindings.GetState = async () => {
    throw { code: "corrupt", message: "the file is damaged" };
  };
  await expect(loadWindowState()).resolves.toBeUndefined();
});
