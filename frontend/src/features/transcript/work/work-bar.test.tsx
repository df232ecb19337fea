import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { Phase, Work } from "@/lib/api/api";
import { renderApp } from "@/testing/render-app";
import { Folds } from "../path/folds";
import type { TurnOnPath } from "../path/path-turns";
import { TranscriptContext, type TranscriptScope } from "../scope";
import { WorkBar } from "./work-bar";

const phase = (kind: string, calls: number): Phase => ({
  kind,
  calls,
  workedMs: 21_000,
  searches: 0,
  failed: 0,
  items: [],
  omitted: 0,
});

/** The bar is drawn on a click, when the fake answers as the test wants. */
function Later() {
  const [drawn, setDrawn] = useState(false);
  const turn = { sessionId: "s", leafUid: "m", number: 0, from: 0, count: 3 } as TurnOnPath;
  return drawn ? (
    <WorkBar turn={turn} />
  ) : (
    <input aria-label="Draw" onClick={() => setDrawn(true)} />
  );
}

async function renderBar(phases: Phase[]) {
  const scope = { session: { id: "s" }, folds: new Folds(), works: new Folds() };
  const app = await renderApp(
    <TranscriptContext value={scope as unknown as TranscriptScope}>
      <Later />
    </TranscriptContext>,
  );
  app.bindings.GetTurnWork = async () =>
    ({ workedMs: 21_000, steps: 1, files: 0, added: 0, removed: 0, phases }) as Work;
  await app.user.click(screen.getByLabelText("Draw"));
  return app;
}

test("opens to the phases that have calls", async () => {
  const { user } = await renderBar([phase("ran", 2), phase("answered", 0)]);
  await screen.findByText("1 step");
  await user.click(screen.getByRole("button", { name: /Worked 21 s/ }));
  expect(screen.getAllByRole("button").map(({ className }) => className)).toEqual([
    "work-line",
    "work-phase",
  ]);
});

test("is no button if a turn has no calls", async () => {
  await renderBar([phase("answered", 0)]);
  await screen.findByText("1 step");
  expect(screen.queryByRole("button")).toBeNull();
});
