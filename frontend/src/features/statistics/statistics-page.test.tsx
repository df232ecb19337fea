import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { FakeOptions } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";
import StatisticsPage from "./statistics-page";

const onClose = vi.fn();
const onShow = vi.fn();

async function drawn(options: FakeOptions = { sessions: 200 }) {
  const fake = await renderApp(<StatisticsPage onClose={onClose} onShow={onShow} />, options);
  const asked = () => fake.calls.filter(({ name }) => name === "GetStatistics").at(-1)?.args[0];
  return { ...fake, asked };
}

test("sums, tables and what they are about", async () => {
  const { user, asked } = await drawn();
  const models = await screen.findByRole("region", { name: "Models" });
  expect(asked()).toMatchObject({ sources: [], workspace: "", model: "", split: "model" });
  screen.getByText("Cost", { selector: "dt" });
  const first = within(models).getAllByRole("button")[0] as HTMLElement;
  await user.click(first);
  await waitFor(() => expect(asked()).toMatchObject({ model: first.textContent }));
  await user.click(within(models).getAllByRole("button")[0] as HTMLElement);
  await waitFor(() => expect(asked()).toMatchObject({ model: "" }));
  await user.click(screen.getByRole("button", { name: "All" }));
  await waitFor(() => expect(asked()).toMatchObject({ since: "", until: "" }));
  await user.click(screen.getByRole("tab", { name: "Source" }));
  await waitFor(() => expect(asked()).toMatchObject({ split: "source" }));
});

test("tokens that no tool has told are no number, and have no bars", async () => {
  const { user, library } = await drawn({ sessions: 20 });
  const tokens = await screen.findByText("Tokens", { selector: "dt" });
  for (const session of library.sessions) session.inputTokens = session.outputTokens = 0;
  await user.click(screen.getByRole("button", { name: "All" }));
  await user.click(screen.getByRole("tab", { name: "Tokens" }));
  await screen.findByText(
    "No token counts for these days: the tools that wrote these sessions do not record them.",
  );
  within(tokens.parentElement as HTMLElement).getByText("unknown");
});

test("the bars have a table that says the same", async () => {
  const { user } = await drawn();
  await screen.findByRole("application", { name: /^Bars by day/ });
  await user.click(screen.getByRole("button", { name: "Show as table" }));
  const table = within(screen.getByRole("region", { name: "Days as a table" }));
  expect(table.getAllByRole("row").length).toBeGreaterThan(2);
});

test("the calendar goes from day to day by its keys, and Enter shows one day", async () => {
  const { user, asked } = await drawn();
  const calendar = await screen.findByRole("application", { name: /^Calendar/ });
  calendar.focus();
  await user.keyboard("{ArrowUp}{ArrowLeft}{ArrowRight}{Enter}");
  const today = new Date().toISOString().slice(0, 10);
  await waitFor(() => expect(asked()).toMatchObject({ since: today, until: today }));
});

test("an empty library offers the one next action", async () => {
  await drawn({ sessions: 0 });
  await screen.findByText("No statistics yet");
  screen.getByRole("button", { name: "Import sessions" });
});

test("Esc closes the page", async () => {
  const { user } = await drawn();
  await screen.findByRole("region", { name: "Models" });
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalled();
});

test("the sessions behind the numbers can be listed", async () => {
  const { user } = await drawn();
  const sources = await screen.findByRole("region", { name: "Sources" });
  await user.click(within(sources).getAllByRole("button")[0] as HTMLElement);
  const calendar = await screen.findByRole("application", { name: /^Calendar/ });
  calendar.focus();
  await user.keyboard("{ArrowUp}{ArrowLeft}{ArrowRight}{Enter}");
  await user.click(screen.getByRole("button", { name: "Show sessions" }));
  const today = new Date().toISOString().slice(0, 10);
  const [view, range] = onShow.mock.calls.at(-1) ?? [];
  expect(view.source).not.toBe("");
  expect(range).toEqual({ since: today, until: today });
});

test("agents are listed if any is named, with their tokens and costs", async () => {
  const { user, library } = await drawn({ sessions: 20 });
  await screen.findByRole("region", { name: "Models" });
  expect(screen.queryByRole("region", { name: "Agents" })).toBeNull();
  library.sessions.forEach((session, index) => {
    session.agent = index % 2 === 0 ? "writer" : "";
  });
  await user.click(screen.getByRole("button", { name: "All" }));
  const agents = await screen.findByRole("region", { name: "Agents" });
  const writer = within(agents).getByRole("row", { name: /^writer/ });
  const named = library.sessions.filter(({ agent }) => agent === "writer").length;
  expect(within(writer).getAllByRole("cell")[0]?.textContent).toBe(String(named));
  within(agents).getByRole("row", { name: /^No agent/ });
});
