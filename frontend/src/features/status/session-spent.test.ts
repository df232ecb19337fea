import { expect, test } from "vitest";
import { costWords } from "./session-spent";

const cost = {
  model: "openai/gpt-5.2",
  stepCount: 3,
  inputTokens: 1,
  outputTokens: 1,
  unestimatedSteps: 0,
};

test("a cost that is not known is said to be so, and is never nothing", () => {
  expect(costWords({ ...cost, unpricedSteps: 3 })).toBe("unknown");
  expect(costWords({ ...cost, costNanoUsd: 250_000_000, unpricedSteps: 0 })).toBe("$0.25");
  expect(costWords({ ...cost, costNanoUsd: 250_000_000, unpricedSteps: 2 })).toBe(
    "$0.25 + 2 steps unknown",
  );
  expect(costWords({ ...cost, model: "script/demo", costNanoUsd: 0, unpricedSteps: 0 })).toBe(
    "none",
  );
});
