import { expect, it } from "vitest";
import { noTrail, type Trail, turnBack, walk } from "./trail";

const step = (leafUid: string) => ({ sessionId: "s", leafUid });
const walked = (...leaves: string[]) =>
  leaves.reduce((trail: Trail, leaf) => walk(trail, step(leaf)), noTrail);
const here = ({ steps, at }: Trail) => steps[at]?.leafUid;

it("goes back and forward through what was viewed", () => {
  const trail = walked("a", "b", "c");
  const back = turnBack(turnBack(trail, -1), -1);
  expect(here(back)).toBe("a");
  expect(turnBack(back, -1)).toBe(back);
  expect(here(turnBack(back, 1))).toBe("b");
});

it("forgets what lay ahead when one goes elsewhere", () => {
  const trail = walk(turnBack(walked("a", "b"), -1), step("c"));
  expect(here(trail)).toBe("c");
  expect(turnBack(trail, 1)).toBe(trail);
  expect(here(turnBack(trail, -1))).toBe("a");
});

it("takes no step to where one is, and forgets the oldest", () => {
  const trail = walked("a");
  expect(walk(trail, step("a"))).toBe(trail);
  const long = walked(...Array.from({ length: 300 }, (_, at) => `${at}`));
  expect(long.steps).toHaveLength(200);
  expect(here(long)).toBe("299");
});
