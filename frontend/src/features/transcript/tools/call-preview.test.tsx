import { screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Block, MessageView, Preview } from "@/lib/api/api";
import { tool } from "@/testing/fake-blocks";
import { renderApp } from "@/testing/render-app";
import { Folds } from "../path/folds";
import { TranscriptContext, type TranscriptScope } from "../scope";
import { ToolCard } from "./tool-card";

const line = (op: string, text: string) => ({ op, oldLine: 0, newLine: 0, text, html: text });

async function renderCard(fields: Partial<Block>, preview: Partial<Preview>) {
  const scope = { session: { id: "s" }, folds: new Folds(), wide: false };
  const block = tool("Call", "auth.go", {
    ...fields,
    preview: { kind: "output", ...preview },
  });
  return renderApp(
    <TranscriptContext value={scope as unknown as TranscriptScope}>
      <ToolCard card={{ message: { uid: "m" } as MessageView, block }} />
    </TranscriptContext>,
  );
}

test("an edit is seen without a click, and names its file once", async () => {
  const diff = {
    path: "auth.go",
    added: 40,
    removed: 1,
    created: false,
    omitted: 39,
    hunks: [{ lines: [line("-", "old"), line("+", "new")] }],
  };
  const { bindings, user } = await renderCard(
    { added: 40, removed: 1 },
    { kind: "changes", diffs: [diff] },
  );
  const figure = screen.getByRole("figure", { name: "Changes to auth.go" });
  expect(within(figure).getByText("old").closest("tr")?.className).toBe("del");
  expect(screen.getAllByText("auth.go")).toHaveLength(1);
  const load = vi.fn(async () => ({
    arguments: [],
    diffs: [{ ...diff, omitted: 0 }],
    result: [],
    structured: { name: "", value: "", html: "", long: false, list: false, cut: false },
  }));
  bindings.GetToolDetail = load;
  await user.click(within(figure).getByRole("button", { name: "39 more lines" }));
  await screen.findByRole("button", { name: "Copy as a patch" });
  expect(load).toHaveBeenCalledOnce();
  expect(screen.getAllByText("auth.go")).toHaveLength(1);
});

test("a command shows its exit code and its last lines", async () => {
  await renderCard({ state: "failed" }, { text: "FAIL\nexit 1", above: 240, exitCode: 1 });
  screen.getByText("exit code 1");
  screen.getByText(/^FAIL/);
  expect(screen.getByRole("button", { name: "240 lines above" })).toBeTruthy();
});

test("what was stopped is not called failed", async () => {
  await renderCard({ state: "interrupted" }, { text: "half" });
  screen.getByText("interrupted");
  expect(screen.queryByText("failed")).toBeNull();
});

test("a task list is shown with its signs", async () => {
  const tasks = [
    { text: "write", state: "done" },
    { text: "test", state: "doing" },
  ];
  await renderCard({}, { kind: "tasks", tasks, omitted: 1 });
  expect(screen.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
    "☑write",
    "◐test",
  ]);
  screen.getByRole("button", { name: "1 more task" });
});

test("a search shows the pages that it found as links", async () => {
  await renderCard({}, { kind: "web", pages: [{ title: "Oak", url: "https://www.e.org/oak" }] });
  expect(screen.getByRole<HTMLAnchorElement>("link", { name: "Oak" }).href).toBe(
    "https://www.e.org/oak",
  );
  screen.getByText("e.org");
});

test.each([
  ["done", "approved"],
  ["denied", "rejected"],
])("a plan that is %s is called %s", async (state, word) => {
  await renderCard({ state }, { kind: "plan", html: "<p>Do it</p>" });
  screen.getByText("Do it");
  screen.getByText(word);
});
