import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { flushWindowState, loadWindowState } from "@/lib/store/window-state";
import { installFake } from "@/testing/fake-api";
import { putDraft, setDraftImages, useDraftImages, useDraftText, withImages } from "./drafts";

beforeEach(async () => {
  installFake({ sessions: 1 });
  await loadWindowState();
});

test("each session keeps its own words, also over a new start", async () => {
  const { result, rerender } = renderHook(({ name }) => useDraftText(name), {
    initialProps: { name: "one" },
  });
  act(() => result.current[1]("for one"));
  rerender({ name: "two" });
  expect(result.current[0]).toBe("");
  act(() => result.current[1]("for two"));
  rerender({ name: "one" });
  expect(result.current[0]).toBe("for one");
  flushWindowState();
  await act(loadWindowState);
  expect(result.current[0]).toBe("for one");
});

test("only the newest drafts are kept, and none that is empty", () => {
  let texts: Record<string, string> = {};
  for (let at = 0; at < 150; at++) texts = putDraft(texts, `s${at}`, "words");
  expect(Object.keys(texts)).toHaveLength(100);
  expect(texts.s149).toBe("words");
  expect(texts.s0).toBeUndefined();
  expect(putDraft(texts, "s149", "").s149).toBeUndefined();
});

test("images belong to a draft and are taken once", () => {
  const image = { name: "a.png", mimeType: "image/png", base64: "AA==" };
  const { result } = renderHook(() => useDraftImages("one"));
  act(() => setDraftImages("one", (now) => withImages(now, [image])));
  act(() => setDraftImages("one", (now) => withImages(now, [{ ...image, name: "again.png" }])));
  expect(result.current).toEqual([image]);
  act(() => setDraftImages("one", () => []));
  expect(result.current).toEqual([]);
});
