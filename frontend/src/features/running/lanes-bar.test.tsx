import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Lane } from "@/lib/api/api";
import { runCommand } from "@/lib/keys/commands";
import { mergeRun } from "@/lib/run/live";
import { noLive } from "@/testing/fake-run";
import { renderApp } from "@/testing/render-app";
import { LanesBar } from "./lanes-bar";

const lane = (number: number, part: Partial<Lane>): Lane => ({
  runId: `run-${number}`,
  number,
  model: `vendor/model-${number}`,
  running: false,
  waits: false,
  status: "success",
  fromUid: "prompt",
  topUid: `top-${number}`,
  tipUid: `tip-${number}`,
  ...part,
});

/** The bar while the run of a lane is looked at. */
async function drawn(lanes: Lane[], shown = 0) {
  const fake = await renderApp(null);
  const stopped: string[][] = [];
  fake.bindings.StopRun = async (...of) => void stopped.push(of);
  const onView = vi.fn();
  const run = { ...noLive.run, id: lanes[shown]?.runId ?? "" };
  const live = mergeRun(undefined, { ...noLive, sessionId: "s", run, lanes });
  render(<LanesBar live={live} onView={onView} />);
  return { ...fake, onView, stopped };
}

test("each run shows its model and status, and the one that is shown is pressed", async () => {
  await drawn(
    [
      lane(0, {}),
      lane(1, { running: true, status: "running" }),
      lane(2, { running: true, waits: true }),
      lane(3, { status: "interrupted" }),
    ],
    1,
  );
  const names = screen.getAllByRole("button", { name: /^model-/ }).map((one) => one.textContent);
  expect(names).toEqual([
    "model-0done",
    "model-1running",
    "model-2waits for you",
    "model-3interrupted",
  ]);
  expect(screen.getByRole("button", { pressed: true }).textContent).toContain("model-1");
});

test("a click looks at what a run wrote last, a key at the next one, and after the last at the first", async () => {
  const { user, onView } = await drawn([lane(0, {}), lane(1, {}), lane(2, {})], 2);
  await user.click(screen.getByRole("button", { name: /model-1/ }));
  expect(onView).toHaveBeenLastCalledWith({ leafUid: "tip-1" });
  act(() => void runCommand("next-run"));
  expect(onView).toHaveBeenLastCalledWith({ leafUid: "tip-0" });
});

test("a run that has written nothing yet moves no view", async () => {
  const { user, onView } = await drawn([lane(0, {}), lane(1, { tipUid: "", running: true })]);
  await user.click(screen.getByRole("button", { name: /model-1/ }));
  expect(onView).not.toHaveBeenCalled();
});

test("all are stopped at once while several go on, and compared when none does", async () => {
  const { user, stopped } = await drawn([
    lane(0, { running: true }),
    lane(1, { running: true }),
    lane(2, {}),
  ]);
  expect(screen.queryByRole("button", { name: "Compare" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Stop all" }));
  expect(stopped).toEqual([["s", ""]]);
});

test("an active one is stopped alone, and there is nothing to compare with one answer", async () => {
  await drawn([lane(0, { running: true }), lane(1, {})]);
  expect(screen.queryByRole("button", { name: "Stop all" })).toBeNull();
  expect(runCommand("stop-runs")).toBe(true);
});

test("two answers can be compared; one without an answer cannot", async () => {
  await drawn([lane(0, {}), lane(1, { topUid: "" }), lane(2, {})]);
  expect(screen.getByRole("button", { name: "Compare" })).toBeTruthy();
  expect(runCommand("stop-runs")).toBe(false);
});

test("a single answer is not compared", async () => {
  await drawn([lane(0, {}), lane(1, { topUid: "" })]);
  expect(screen.queryByRole("button", { name: "Compare" })).toBeNull();
});
