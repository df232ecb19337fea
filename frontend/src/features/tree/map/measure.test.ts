import { describe, expect, it } from "vitest";
import { highestCost, type Measure, sizeOf } from "./measure";

const minute = 60_000;

function sized(measure: Measure, effort: { steps: number; workedMs: number } | undefined) {
  const skeleton = {
    flags: Uint8Array.of(8, 8, 0, 0),
    costNanoUsd: Float64Array.of(4e9, 1e9, 0, 0),
    estimatedCostNanoUsd: Float64Array.of(0, 0, 0, 1e9),
  };
  const unsized: number[] = [];
  const frame = {
    measure,
    unsized,
    work: { efforts: { get: () => effort } },
    scene: {
      skeleton,
      mostCostNanoUsd: highestCost(skeleton),
    },
  };
  return { sizes: [0, 1, 2, 3].map((turn) => sizeOf(frame as never, turn)), unsized };
}

describe("the size of a turn", () => {
  it("is that of its cost or list price beside the most expensive one, and unknown without either", () => {
    expect(sized("cost", undefined)).toEqual({ sizes: [1, 0.5, -1, 0.5], unsized: [] });
  });

  it.each([
    ["steps", 25, 0, 0.5],
    ["steps", 400, 0, 1],
    ["time", 0, 15 * minute, 0.5],
    ["time", 9, 0, 0],
  ] as const)("by %s of %i steps and %i ms is %d", (measure, steps, workedMs, size) => {
    expect(sized(measure, { steps, workedMs }).sizes[0]).toBe(size);
  });

  it("is asked for while it is not known", () => {
    expect(sized("time", undefined)).toEqual({ sizes: [-1, -1, -1, -1], unsized: [0, 1, 2, 3] });
  });
});
