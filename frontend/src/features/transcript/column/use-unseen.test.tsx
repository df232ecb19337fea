import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useUnseen } from "./use-unseen";

const path = (uids: string[], part: { headUid?: string; atEnd?: boolean } = {}) => ({
  leafUid: uids.at(-1) ?? "",
  headUid: part.headUid ?? uids.at(-1) ?? "",
  length: uids.length,
  isReady: true,
  atEnd: part.atEnd ?? false,
  uidAt: (index: number) => uids[index],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const shown = (uids: string[]) => renderHook(useUnseen, { initialProps: path(uids) });

test("what is written below tells from which row on it is new, until its end was in view", () => {
  const { result, rerender } = shown(["a", "b"]);
  expect(result.current.from).toBeUndefined();
  rerender(path(["a", "b", "c"]));
  rerender(path(["a", "b", "c", "d"]));
  expect(result.current.from).toBe(2);
  rerender(path(["a", "b", "c", "d"], { atEnd: true }));
  wait(1000);
  rerender(path(["a", "b", "c", "d"]));
  expect(result.current.from).toBeUndefined();
});

test("who went there has seen it", () => {
  const { result, rerender } = shown(["a", "b"]);
  rerender(path(["a", "b", "c"]));
  act(() => result.current.forget());
  expect(result.current.from).toBeUndefined();
});

test("what fits below is seen", () => {
  const { result, rerender } = renderHook(useUnseen, {
    initialProps: path(["a", "b"], { atEnd: true }),
  });
  rerender(path(["a", "b", "c"], { atEnd: true }));
  wait(1000);
  rerender(path(["a", "b", "c"]));
  expect(result.current.from).toBeUndefined();
});

test("what turns out not to fit, once it is drawn, is not seen", () => {
  const { result, rerender } = renderHook(useUnseen, {
    initialProps: path(["a", "b"], { atEnd: true }),
  });
  rerender(path(["a", "b", "c"], { atEnd: true }));
  wait(50);
  rerender(path(["a", "b", "c"]));
  wait(1000);
  expect(result.current.from).toBe(2);
});

test("another branch is not new, however long it is", () => {
  const { result, rerender } = shown(["a", "b"]);
  rerender(path(["a", "x", "y"], { headUid: "b" }));
  expect(result.current.from).toBeUndefined();
  rerender(path(["a", "b"]));
  rerender(path(["a", "x", "y"]));
  expect(result.current.from).toBeUndefined();
});
