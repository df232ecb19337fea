import { useQuery } from "@tanstack/react-query";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { api, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { runCommand } from "@/lib/keys/commands";
import { noChoice, readChoice } from "@/lib/session/choice";
import type { ViewLocation } from "@/lib/session/location";
import { changeWindowState, readWindowState } from "@/lib/store/window-state";
import { renderApp } from "@/testing/render-app";
import { LayoutService } from "./layout/layout-service";
import { TreePane } from "./tree-pane";

const layoutService = new LayoutService();

// The fake's session with branches: "Refactor the auth module".
const branched = "01930001-fake-7000-8000-000000000001";

function Shown() {
  const { data } = useQuery({
    queryKey: keys.session(branched),
    queryFn: () => api.getSession(branched),
  });
  return data ? <Viewed session={data} /> : null;
}

function Viewed({ session }: { session: Session }) {
  const [view, setView] = useState<ViewLocation>();
  return (
    <>
      <output>{view?.focusUid ?? ""}</output>
      <TreePane
        session={session}
        leafUid={view?.leafUid || session.headUid}
        focus={undefined}
        onView={setView}
        layoutService={layoutService}
      />
    </>
  );
}

/** The timeline of a session with so many named checkpoints. */
async function drawn(named = 0) {
  const fake = await renderApp(<Shown />, { sessions: 4 });
  await screen.findByRole("treegrid", { name: "Turns" });
  for (let point = 0; point < named; point++)
    await api.nameCheckpoint(branched, "", `point ${point}`);
  runCommand("show-checkpoints");
  const list = await screen.findByRole("list", { name: "Checkpoints" });
  const rows = () => within(list).getAllByRole("listitem");
  const head = () => fake.library.open(branched).session.headUid;
  return {
    ...fake,
    list,
    rows,
    head,
    calls: (name: string) => fake.calls.filter((call) => call.name === name),
  };
}

test("checkpoints are listed newest first, with what changed in the settings", async () => {
  const { rows, library } = await drawn();
  const answers = library
    .open(branched)
    .window("", 0, 1000)
    .messages.filter(({ role }) => role === "assistant");
  expect(rows()).toHaveLength(answers.length);
  expect(rows()[0]?.textContent).toContain("Step at ");
  expect(rows().at(-1)?.textContent).toContain("confirm-sensitive");
  expect(rows()[0]?.textContent).not.toContain("confirm-sensitive");
  expect(rows()[0]?.querySelector("[aria-current]")?.textContent).toContain("current");
});

test("a click shows the message, the arrow keys move", async () => {
  const { user, rows, list, library } = await drawn();
  const last = rows().at(-1) as HTMLElement;
  await user.click(within(last).getByRole("button", { name: /^Step/ }));
  const first = library
    .open(branched)
    .window("", 0, 1000)
    .messages.find(({ role }) => role === "assistant");
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(first?.uid));
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement).toBe(
    list.querySelectorAll("[data-checkpoint] button")[2 * rows().length - 4],
  );
});

test("restoring moves the head, and can be undone", async () => {
  const { user, rows, head } = await drawn();
  const before = head();
  const last = rows().at(-1) as HTMLElement;
  await user.click(within(last).getByRole("button", { name: "Restore checkpoint" }));
  const toast = (await screen.findByText(/^Restored checkpoint c\d+$/)).closest("li");
  expect(head()).not.toBe(before);
  await user.click(within(toast as HTMLElement).getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(head()).toBe(before));
});

test("a restored checkpoint replaces what was chosen for the next run, and undoing it brings that back", async () => {
  const { user, rows } = await drawn();
  const choice = () =>
    readChoice(readWindowState<Record<string, unknown>>("choices", {})[branched]);
  changeWindowState<Record<string, unknown>>("choices", {}, () => ({
    [branched]: { mode: "yolo", budgetUsd: "9", review: true },
  }));
  const last = rows().at(-1) as HTMLElement;
  await user.click(within(last).getByRole("button", { name: "Restore checkpoint" }));
  const toast = (await screen.findByText(/^Restored checkpoint c\d+$/)).closest("li");
  expect(choice()).toEqual({ ...noChoice, review: true });
  await user.click(within(toast as HTMLElement).getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(choice()).toMatchObject({ mode: "yolo", budgetUsd: "9" }));
});

test("a point is named; a name that is taken is reported in the dialog", async () => {
  const { user, rows, calls } = await drawn();
  const count = rows().length;
  runCommand("name-checkpoint");
  const dialog = await screen.findByRole("dialog", { name: "Name checkpoint" });
  await user.type(
    within(dialog).getByRole("textbox", { name: "Name" }),
    "before the change{Enter}",
  );
  await waitFor(() => expect(rows()).toHaveLength(count + 1));
  expect(rows()[0]?.textContent).toContain("before the change");
  expect(calls("NameCheckpoint")[0]?.args).toEqual([branched, "", "before the change"]);
  runCommand("name-checkpoint");
  const again = await screen.findByRole("dialog", { name: "Name checkpoint" });
  await user.type(within(again).getByRole("textbox", { name: "Name" }), "before the change{Enter}");
  expect((await within(again).findByRole("alert")).textContent).toContain("named");
});

test("the menu of a checkpoint restores, names and removes it", async () => {
  const { user, rows } = await drawn();
  const count = rows().length;
  runCommand("name-checkpoint");
  const dialog = await screen.findByRole("dialog");
  await user.type(within(dialog).getByRole("textbox"), "soon gone{Enter}");
  const row = await screen.findByRole("button", { name: /^soon gone/ });
  await user.pointer({ keys: "[MouseRight]", target: row });
  const titles = (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
  expect(titles).toEqual([
    "Go to checkpoint",
    "Restore checkpoint",
    "Name checkpoint…",
    "Remove checkpoint",
  ]);
  await user.click(screen.getByRole("menuitem", { name: "Remove checkpoint" }));
  await waitFor(() => expect(rows()).toHaveLength(count));
});

test("older checkpoints are read as the list is scrolled, and only rows in view are drawn", async () => {
  const { list, rows, calls } = await drawn(450);
  expect(rows().length).toBeLessThan(60);
  expect(rows()[0]?.textContent).toContain("point 449");
  const scroller = list.parentElement as HTMLElement;
  await waitFor(() => {
    scroller.scrollTop = Number.parseFloat(list.style.height);
    fireEvent.scroll(scroller);
    expect(rows().at(-1)?.getAttribute("aria-setsize")).not.toBe("-1");
  });
  const last = rows().at(-1);
  expect(last?.getAttribute("aria-posinset")).toBe(last?.getAttribute("aria-setsize"));
  expect(Number(last?.getAttribute("aria-setsize"))).toBeGreaterThan(450);
  expect(last?.textContent).toContain("confirm-sensitive");
  expect(rows().length).toBeLessThan(60);
  const cursors = calls("ListCheckpoints").map(({ args }) => args[1]);
  expect(new Set(cursors).size).toBe(3);
});
