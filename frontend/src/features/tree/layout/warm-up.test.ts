import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startWarmUp, warmUp } from "./warm-up";

describe("the warm-up", () => {
  it("lays out every kind of tree without a fault", () => {
    expect([...warmUp()].length).toBeGreaterThan(100);
  });

  describe("of a worker", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("ends when it is told to", () => {
      const end = startWarmUp();
      vi.advanceTimersByTime(600);
      expect(vi.getTimerCount()).toBe(1);
      end();
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
