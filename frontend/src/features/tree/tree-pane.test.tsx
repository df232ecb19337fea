import { useQuery } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { useMemo, useState } from "react";
import { expect, test } from "vitest";
import { api, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { runCommand } from "@/lib/keys/commands";
import type { ViewLocation } from "@/lib/session/location";
import { changeWindowState, readWindowState } from "@/lib/store/window-state";
import type { FakeOptions } from "@/testing/fake-api";
import { encodeFake } from "@/testing/fake-skeleton";
import { renderApp } from "@/testing/render-app";
import { LayoutService } from "./layout/layout-service";
import { TreePane } from "./tree-pane";

const layoutService = new LayoutService();

// The fake's session with branches: "Refactor the auth module".
const branched = "01930001-fake-7000-8000-000000000001";

function Shown({ id }: { id: string }) {
  const { data } = useQuery({ queryKey: keys.session(id), queryFn: () => api.getSession(id) });
  return data ? <Viewed session={data} /> : null;
}

function Viewed({ session }: { session: Session }) {
  const [view, setView] = useState<ViewLocation>();
  const leafUid = view?.leafUid || session.headUid;
  const uid = view?.focusUid;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each view requests it again
  const focus = useMemo(() => (uid === undefined ? undefined : { uid }), [view]);
  return (
    <>
      <output>{`${leafUid} ${view?.focusUid ?? ""}`}</output>
      <TreePane
        session={session}
        leafUid={leafUid}
        focus={focus}
        onView={setView}
        layoutService={layoutService}
      />
    </>
  );
}

async function drawn(options: FakeOptions = { sessions: 4 }) {
  const fake = await renderApp(<Shown id={branched} />, options);
  const grid = await screen.findByRole("treegrid", { name: "Turns" });
  // The words come a moment after the shape.
  await waitFor(() => expect(grid.textContent).toMatch(/[a-z]{3,}.*[a-z]{3,}/));
  const rows = () => within(grid).getAllByRole("row");
  // The row of a turn by its id, "n6", or by its name.
  const row = (turn: string | RegExp) => {
    const [only, ...more] = rows().filter((at) =>
      typeof turn === "string" ? nodeOf(at) === turn : turn.test(nameOf(at)),
    );
    if (!only || more.length > 0) throw new Error(`no single row ${turn}`);
    return only;
  };
  const names = () => rows().map(nameOf);
  const nodes = () => rows().map(nodeOf);
  const calls = (name: string) => fake.calls.filter((call) => call.name === name);
  const tree = fake.library.open(branched).tree();
  return { ...fake, grid, row, names, nodes, calls, tree };
}

// The button of the toast with these words; toasts of earlier tests may still be there.
async function undoOf(title: string | RegExp) {
  const toast = (await screen.findByText(title)).closest("li");
  return within(toast as HTMLElement).getByRole("button", { name: "Undo" });
}

const nameOf = (row: Element) => row.getAttribute("aria-label") ?? "";
const nodeOf = (row: Element) => row.getAttribute("data-node") ?? "";
const focus = () => document.activeElement as Element;
const focused = () => nodeOf(focus());

test("turns say their place, number, size and whether they are on the path", async () => {
  const { row } = await drawn();
  const turn = row("n18");
  expect(turn.getAttribute("aria-label")).toBe(
    "Add the sweep job, 2 of 2 alternatives, 2 messages, $0.012, 1 turn below, on current path",
  );
  expect(turn.getAttribute("aria-level")).toBe("3");
  expect(turn.getAttribute("aria-setsize")).toBe("2");
  expect(turn.getAttribute("aria-posinset")).toBe("2");
  expect(turn.getAttribute("aria-expanded")).toBe("true");
  const fork = row("n14");
  expect(fork.getAttribute("aria-level")).toBe("2");
  expect(fork.getAttribute("aria-posinset")).toBe("2");
  expect(fork.getAttribute("aria-expanded")).toBe("true");
  expect(row("n6").getAttribute("aria-level")).toBe("1");
  expect(row(/current position$/).getAttribute("aria-selected")).toBe("true");
});

test("one row takes the focus, keys move it, and it goes with what folds", async () => {
  const { user, grid, row } = await drawn();
  expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  row(/current position$/).focus();
  await user.keyboard("{Home}");
  expect(focused()).toBe("n0");
  await user.keyboard("n6{ArrowDown}");
  expect(focused()).toBe("n14");
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(focused()).toBe("n5");
  await user.keyboard("{ArrowRight}");
  expect(focused()).toBe("n6");
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(focused()).toBe("n7");
  expect(grid.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
});

test("a click shows a turn on the path last visited through it, and moves no row", async () => {
  const { user, row, nodes, tree } = await drawn();
  const before = nodes();
  await user.click(row("n6"));
  const leaf = tree.turns[13]?.lastUid;
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toBe(`${leaf} ${tree.turns[6]?.firstUid}`),
  );
  await waitFor(() => expect(row("n6").getAttribute("aria-label")).toMatch(/on current path$/));
  expect(row("n6").getAttribute("aria-current")).toBe("true");
  expect(row("n14").getAttribute("aria-label")).not.toMatch(/on current path/);
  expect(nodes()).toEqual(before);
});

test("of two clicks the last one counts, also where its answer comes first", async () => {
  const { user, row, tree, bindings } = await drawn();
  const { Locate } = bindings;
  let answer = () => {};
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const answers: Promise<unknown>[] = [];
  bindings.Locate = (id, node) => {
    const found =
      node === tree.turns[6]?.lastUid ? late.then(() => Locate(id, node)) : Locate(id, node);
    answers.push(found);
    return found;
  };
  await user.click(row("n6"));
  await user.click(row("n1"));
  const shown = `${tree.head} ${tree.turns[1]?.firstUid}`;
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe(shown));
  await act(async () => {
    answer();
    await Promise.all(answers);
    await new Promise((wake) => setTimeout(wake));
  });
  expect(screen.getByRole("status").textContent).toBe(shown);
});

test("a click on the path keeps the path", async () => {
  const { user, row, tree, calls } = await drawn();
  await user.click(row("n1"));
  await waitFor(() =>
    expect(screen.getByRole("status").textContent).toBe(`${tree.head} ${tree.turns[1]?.firstUid}`),
  );
  expect(calls("Locate")).toHaveLength(0);
});

test("a turn thrown away before its path was on screen takes the view with it", async () => {
  const { user, row, tree, calls, bindings } = await drawn();
  const { Locate } = bindings;
  let find = () => {};
  const found = new Promise<void>((resolve) => {
    find = resolve;
  });
  bindings.Locate = (...of) => found.then(() => Locate(...of));
  bindings.HideMessages = async (_, tops) => {
    find();
    await waitFor(() => expect(nameOf(row("n6"))).toMatch(/on current path$/));
    return { tops, messages: 2, turns: 1, headUid: tree.head };
  };
  await user.click(row("n6"));
  await user.keyboard("{Delete}");
  await screen.findByText("Moved 2 messages in 1 turn to trash");
  await waitFor(() => expect(calls("Locate").at(-1)?.args[1]).toBe(tree.turns[13]?.lastUid));
});

test("a double click continues from a turn, and Undo returns", async () => {
  const { user, row, tree, library } = await drawn();
  await user.dblClick(row("n14"));
  const undo = await undoOf("The next message continues from “keep sessions in a table”");
  await waitFor(() => expect(nodeOf(row(/current position$/))).toBe("n14"));
  await user.click(undo);
  await waitFor(() => expect(library.open(branched).session.headUid).toBe(tree.head));
  await waitFor(() => expect(nodeOf(row(/current position$/))).toBe("n19"));
});

test("Ctrl and Enter continue from the turn with the cursor", async () => {
  const { user, row } = await drawn();
  row(/current position$/).focus();
  await user.keyboard("n20{Control>}{Enter}{/Control}");
  await waitFor(() => expect(nodeOf(row(/current position$/))).toBe("n20"));
});

test("L labels a turn at once, Undo takes the label back, and the focus returns", async () => {
  const { user, row, library } = await drawn();
  row(/current position$/).focus();
  await user.keyboard("{Home}l");
  await user.keyboard("first steps{Enter}");
  await waitFor(() => expect(nameOf(row("n0"))).toContain("label first steps"));
  expect(focused()).toBe("n0");
  await waitFor(() => expect(library.open(branched).labels()).toContain("first steps"));
  await user.click(await undoOf(/Labelled turn “first steps”/));
  await waitFor(() => expect(library.open(branched).labels()).not.toContain("first steps"));
});

test("a label that Go refuses is taken back and said", async () => {
  const { user, row, bindings } = await drawn();
  bindings.SetLabel = () => Promise.reject({ code: "internal", message: "the disk is full" });
  row(/current position$/).focus();
  await user.keyboard("lnope{Enter}");
  await screen.findByText("Could not label the turn");
  await waitFor(() =>
    expect(row(/current position$/).getAttribute("aria-label")).not.toMatch(/label nope/),
  );
});

test("Esc leaves the label as it is", async () => {
  const { user, row, calls } = await drawn();
  row(/current position$/).focus();
  await user.keyboard("lnothing{Escape}");
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(nameOf(focus())).toMatch(/current position$/);
  expect(calls("SetLabel")).toHaveLength(0);
});

test("Alt and the arrows go to relatives, also folded ones", async () => {
  const { user, row } = await drawn();
  runCommand("fold-others");
  row(/current position$/).focus();
  await user.keyboard("n14");
  await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
  expect(focused()).toBe("n6");
  await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
  await waitFor(() => expect(focused()).toBe("n7"));
  await user.keyboard("{Alt>}{ArrowLeft}{ArrowLeft}{ArrowRight}{/Alt}");
  await waitFor(() => expect(focused()).toBe("n14"));
});

test("commands fold all but the path, and unfold everything", async () => {
  const { names, tree } = await drawn();
  runCommand("fold-others");
  await waitFor(() => expect(names()).toHaveLength(12));
  runCommand("expand-all");
  await waitFor(() => expect(names()).toHaveLength(tree.turns.length));
});

test("the filter keeps labelled turns and where they hang", async () => {
  const { user, names, nodes } = await drawn();
  await user.click(screen.getByRole("button", { name: "Turns listed: All" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: /Labelled/ }));
  await waitFor(() =>
    expect(nodes().map((node) => Number(node.slice(1)))).toEqual(
      expect.arrayContaining([0, 5, 13, 14, 19, 20]),
    ),
  );
  expect(names()).toHaveLength(7);
});

test("the details are of the selected turn", async () => {
  const { user, row, calls } = await drawn();
  row(/current position$/).focus();
  await user.keyboard("n14");
  const label = await screen.findByRole("button", { name: /Label keep sessions in a table/ });
  expect(label).toBeDefined();
  await screen.findByText("· 4 messages");
  await screen.findByText("1 file", { exact: false });
  await screen.findByText("session.go", { exact: false });
  // They count as the bar of the digest does, for turns of any length.
  expect(calls("GetTurnWork").length).toBeGreaterThan(0);
  expect(calls("GetWindow")).toHaveLength(0);
});

test("the menu of a turn has its actions", async () => {
  const { user, row } = await drawn();
  await user.pointer({ keys: "[MouseRight]", target: row("n5") });
  const menu = await screen.findByRole("menu");
  const items = within(menu)
    .getAllByRole("menuitem")
    .map((item) => item.textContent);
  for (const title of [
    "View",
    "Branch from here",
    "Label turn…",
    "Copy as Markdown",
    "Fold",
    "Fold all but the path",
  ])
    expect(items.some((item) => item?.startsWith(title))).toBe(true);
});

// Draws the pane when asked to, so that a binding can be replaced before.
function Opened({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    <Shown id={id} />
  ) : (
    <button type="button" onClick={() => setOpen(true)}>
      Open
    </button>
  );
}

// Answers for skeletons in another way; the returned function ends that.
function answerTrees(answer: () => Response) {
  const before = globalThis.fetch;
  globalThis.fetch = async () => answer();
  return () => {
    globalThis.fetch = before;
  };
}

test("a tree that cannot be read says why and can be tried again", async () => {
  const { user } = await renderApp(<Opened id={branched} />, { sessions: 4 });
  const failure = { code: "corrupt", message: "page 7 is damaged", hint: "" };
  const restore = answerTrees(() => new Response(JSON.stringify(failure), { status: 404 }));
  await user.click(screen.getByRole("button", { name: "Open" }));
  await screen.findByText("page 7 is damaged");
  restore();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByRole("treegrid");
});

test("how a tree is to be shown can be said while it is read", async () => {
  const { user } = await renderApp(<Opened id={branched} />, { sessions: 4 });
  act(() => changeWindowState<string>("treeTab", "outline", () => "map"));
  const read = globalThis.fetch;
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  globalThis.fetch = async (...asked) => {
    await arrived;
    return read(...asked);
  };
  await user.click(screen.getByRole("button", { name: "Open" }));
  await screen.findByRole("status", { name: "Loading tree…" });
  act(() => expect(runCommand("show-outline")).toBe(true));
  act(() => expect(runCommand("turn-order")).toBe(true));
  arrive();
  const grid = await screen.findByRole("treegrid");
  await waitFor(() => expect(within(grid).getAllByRole("row").length).toBeGreaterThan(5));
  expect(readWindowState<string>("treeOrder", "oldest")).toBe("newest");
  globalThis.fetch = read;
});

test("a session without messages says what the tree is for", async () => {
  const { user } = await renderApp(<Opened id={branched} />, { sessions: 4 });
  const empty = { head: "", headTurn: -1, branchCount: 0, messageCount: 0, turns: [], sums: [] };
  const restore = answerTrees(() => new Response(encodeFake(empty)));
  await user.click(screen.getByRole("button", { name: "Open" }));
  await screen.findByText("No messages yet");
  restore();
});

test("what is found shows, is counted, and folds back", async () => {
  const { user, row, names, grid } = await drawn();
  runCommand("fold-others");
  await waitFor(() => expect(names()).toHaveLength(12));
  row(/current position$/).focus();
  await user.keyboard("{Control>}f{/Control}");
  const field = screen.getByRole("textbox", { name: "Find in tree" });
  expect(document.activeElement).toBe(field);
  await user.keyboard("the");
  const found = () => document.getElementById("tree-found")?.textContent ?? "";
  await waitFor(() => expect(found()).toMatch(/^\d+ of \d+$/));
  const [, total] = found().split(" of ");
  await user.keyboard("{Enter}");
  expect(found().endsWith(` of ${total}`)).toBe(true);
  expect(grid.querySelectorAll("mark").length).toBeGreaterThan(0);
  expect(names().length).toBeGreaterThan(10);
  await user.clear(field);
  await user.keyboard("nothing says this");
  await waitFor(() => expect(found()).toBe("not found"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(grid.querySelectorAll("mark")).toHaveLength(0));
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("alternatives can be listed newest first", async () => {
  const { user, names } = await drawn();
  const before = names();
  await user.click(screen.getByRole("button", { name: "Turns listed: All" }));
  await user.click(
    await screen.findByRole("menuitemcheckbox", { name: "Newest alternatives first" }),
  );
  await user.click(screen.getByRole("button", { name: "Turns listed: All" }));
  expect(
    await screen.findByRole("menuitemcheckbox", { name: /Newest/, checked: true }),
  ).toBeDefined();
  expect([...names()].sort()).toEqual([...before].sort());
});

test("type-ahead finds turns whose words are not here yet", async () => {
  const { user, row, calls } = await drawn();
  row(/current position$/).focus();
  await user.keyboard("zzz");
  await waitFor(() => expect(calls("FindTurnsBeginning").length).toBeGreaterThan(0));
  expect(nameOf(focus())).toMatch(/current position$/);
});
