import { expect, test } from "vitest";
import { beginTrail, endTrail, stepTrail } from "./hit-trail";

const hit = (uid: string) => ({
  sessionId: "s",
  uid,
  passage: { snippet: uid, part: 0, from: 0, to: 1 },
});

test("steps through the hits to both ends, and forgets them", () => {
  beginTrail({ hits: ["a", "b", "c"].map(hit), index: 1, more: false });
  expect(stepTrail(1)?.uid).toBe("c");
  expect(stepTrail(1)).toBeUndefined();
  expect(stepTrail(-1)?.uid).toBe("b");
  expect(stepTrail(-1)?.uid).toBe("a");
  expect(stepTrail(-1)).toBeUndefined();
  endTrail();
  expect(stepTrail(1)).toBeUndefined();
});
