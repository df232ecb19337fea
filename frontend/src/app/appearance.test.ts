import { expect, test } from "vitest";
import { stepZoom } from "./appearance";

test.each([
  [100, 1, 110],
  [100, -1, 90],
  [105, 1, 110],
  [105, -1, 100],
  [300, 1, 300],
  [50, -1, 50],
] as const)("from %s %% by %s to %s %%", (from, step, to) => {
  expect(stepZoom(from, step)).toBe(to);
});
