import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Home as HomeLists } from "@/lib/api/api";
import { changeOf } from "@/testing/fake-change";
import { renderApp } from "@/testing/render-app";
import { Home } from "./home";

/** The page with the home of the fake, changed by the test. */
async function drawn(change: (home: HomeLists) => Partial<HomeLists> = () => ({})) {
  const onOpen = vi.fn();
  const onShow = vi.fn();
  const fake = await renderApp(<Home onOpen={onOpen} onShow={onShow} />, { sessions: 30 });
  await screen.findByRole("region", { name: "Continue" });
  const home = await fake.bindings.GetHome();
  fake.bindings.GetHome = async () => ({ ...home, ...change(home) });
  fake.emit("changed", changeOf("list"));
  return { ...fake, home, onOpen, onShow };
}

const part = (name: string) => within(screen.getByRole("region", { name }));

test("the sessions that changed last are offered to continue", async () => {
  const { user, home, onOpen } = await drawn();
  const rows = part("Continue").getAllByRole("button");
  expect(rows).toHaveLength(5);
  await user.click(rows[1] as HTMLElement);
  expect(onOpen).toHaveBeenCalledWith(home.recent[1]?.id);
});

test("each list leads to the whole of it in the library", async () => {
  const { user, onShow } = await drawn();
  await user.click(screen.getByRole("button", { name: "Show all: Unfinished" }));
  await user.click(screen.getByRole("button", { name: "Show all: With several branches" }));
  await user.click(screen.getByRole("button", { name: "Show all: Most expensive" }));
  expect(onShow.mock.calls).toEqual([["unfinished"], ["forked"], ["expensive"]]);
});

test("a list without sessions is left out", async () => {
  await drawn(() => ({ unfinished: [], forked: [], expensive: [] }));
  await screen.findByRole("region", { name: "This week" });
  await vi.waitFor(() => expect(screen.queryByRole("region", { name: "Unfinished" })).toBeNull());
  expect(screen.queryByText("Last import")).toBeNull();
});

test("what was billed and what is estimated are apart", async () => {
  await drawn((home) => ({
    week: {
      ...home.week,
      steps: 9,
      unpriced: 4,
      unestimated: 1,
      costNanoUsd: 1_200_000_000,
      estimatedCostNanoUsd: 4_120_000_000,
    },
    expensive: [
      {
        ...(home.expensive[0] as HomeLists["expensive"][number]),
        costNanoUsd: 2_000_000_000,
        estimatedCostNanoUsd: 3_000_000_000,
        unpricedCalls: 0,
      },
    ],
  }));
  await screen.findByText("≥ $1.20");
  part("This week").getByText("≈ $4.12+");
  part("Most expensive").getByText("$2.00");
  part("Most expensive").getByText("≈ $3.00");
});

test("a week without model calls is described as such", async () => {
  await drawn((home) => ({ week: { ...home.week, steps: 0 } }));
  await screen.findByText(/^No model calls since/);
});

test("the last import names what was skipped and why", async () => {
  await drawn((home) => ({
    imported: home.recent.slice(0, 2),
    lastImport: {
      atMs: Date.now() - 150_000,
      sessionCount: 34,
      problemCount: 0,
      report: {
        imported: 34,
        updated: 0,
        unchanged: 0,
        skipped: 60,
        sessions: [],
        problems: [],
        skippedFiles: [
          { path: "/p/notes.jsonl", reason: "contains no session" },
          { path: "/p/other.jsonl", reason: "removed for good" },
        ],
      },
    },
  }));
  await screen.findByText(/34 imported, 60 skipped/);
  const last = part("Last import");
  last.getByText("2 min");
  last.getByText("/p/notes.jsonl");
  last.getByText("contains no session");
  last.getByText("removed for good");
  last.getByText("and 58 more");
  last.getByText("and 32 more");
});
