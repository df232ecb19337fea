import { fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { SearchQuery, Session } from "@/lib/api/api";
import { useCommand } from "@/lib/keys/commands";
import { stepTrail } from "@/lib/session/hit-trail";
import { renderApp } from "@/testing/render-app";
import { SearchPanel, type SearchScope } from "./search-panel";

const onOpenHit = vi.fn();
const onOpenSession = vi.fn();
const onUndo = vi.fn();

function Panel({ scope, session }: { scope: SearchScope; session?: Session }) {
  useCommand("undo", onUndo, { title: "Undo", group: "Library" });
  return (
    <SearchPanel
      scope={scope}
      session={session}
      onClose={() => {}}
      onOpenSession={onOpenSession}
      onOpenHit={onOpenHit}
    />
  );
}

test("Enter opens the first hit; the arrow keys another one", async () => {
  const { user } = await renderApp(<Panel scope="messages" />, { sessions: 3 });
  await user.keyboard("revocable one by one");
  // A slow machine searches for the beginning of the words, too.
  await waitFor(() => {
    const hit = screen.getByRole("option", { name: /Tokens must be/ });
    expect(hit.querySelector("mark")?.textContent).toBe("revocable one by one");
  });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onOpenHit).toHaveBeenCalledOnce());
  expect(onOpenHit.mock.calls[0]?.[1]).toMatch(/-m\d+$/);
});

test("a session that is called what was typed comes before newer ones", async () => {
  const { user, library } = await renderApp(<Panel scope="everything" />, { sessions: 3 });
  const called = library.all().sort((a, b) => a.updatedAtMs - b.updatedAtMs);
  for (const session of called) session.title = "Deploy the site";
  (called[0] as (typeof called)[0]).title = "deploy";
  await user.keyboard("Deploy");
  // The recent sessions have these titles too, in another order.
  await waitFor(() => expect(screen.queryByText("Recent sessions")).toBeNull());
  await waitFor(() => expect(screen.getAllByTitle(/deploy/i)[0]?.title).toBe("deploy"));
});

test("a hit that is not on the path to the head is marked", async () => {
  const { user } = await renderApp(<Panel scope="messages" />, { sessions: 3 });
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("breaks old mobile apps");
  await waitFor(() => screen.getAllByText("on another branch"));
});

test("a search passes the session it is asked from, wherever it looks", async () => {
  const session = { id: "open-one" } as Session;
  const { user, calls } = await renderApp(<Panel scope="messages" session={session} />, {
    sessions: 3,
  });
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("in:session revocable");
  await waitFor(() =>
    expect(calls.filter(({ name }) => name === "Search").at(-1)?.args[0]).toMatchObject({
      text: "in:session revocable",
      fromId: "open-one",
      sessionId: "",
    }),
  );
});

test("short texts and open brackets are not searched for", async () => {
  const { user, calls } = await renderApp(<Panel scope="messages" />, { sessions: 3 });
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("a");
  await screen.findByText(/two characters or more/);
  await user.click(screen.getByRole("button", { name: "Regular expression" }));
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("a(b");
  await screen.findByText(/Invalid regular expression/);
  const asked = calls.filter(({ name }) => name === "Search").map(({ args }) => args[0]);
  expect(asked).not.toContainEqual(expect.objectContaining({ text: "a" }));
  expect(asked).not.toContainEqual(expect.objectContaining({ text: "a(b" }));
});

test("chips narrow the search, by mouse and by key", async () => {
  const { user, calls } = await renderApp(<Panel scope="messages" />, { sessions: 3 });
  const asked = () => calls.findLast(({ name }) => name === "Search")?.args[0];
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("revocable");
  await user.click(screen.getByRole("button", { name: "Role: Anyone" }));
  await user.click(await screen.findByRole("menuitemcheckbox", { name: /Assistant/ }));
  await waitFor(() =>
    expect(asked()).toMatchObject({ text: "revocable", filter: "role:assistant" }),
  );
  await user.click(screen.getByRole("combobox"));
  await user.keyboard("{Alt>}t{/Alt}");
  await waitFor(() => expect(asked()).toMatchObject({ substring: true, regex: false }));
  await user.keyboard("{Alt>}r{/Alt}");
  await waitFor(() => expect(asked()).toMatchObject({ substring: false, regex: true }));
  await screen.findAllByText(/^\d+ hits?$/, { selector: "[cmdk-group-heading] *" });
});

test("a search that reads the messages shows what it has found, stops and continues", async () => {
  const { user, calls, bindings, library } = await renderApp(<Panel scope="messages" />, {
    sessions: 3,
  });
  const answers: (() => void)[] = [];
  bindings.Search = async (query) => {
    if (query.before > 0) await new Promise<void>((answer) => answers.push(answer));
    const [hit] = library.search(query).hits;
    const next = query.before === 0 ? 2000 : query.before - 1000;
    const lookedToMs = Date.UTC(2026, 2, 2, 12);
    return { ...library.search(query), hits: hit ? [hit] : [], next, looked: 512, lookedToMs };
  };
  const asked = () =>
    calls.filter(({ name }) => name === "Search").map(({ args }) => args[0] as SearchQuery);
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("{Alt>}r{/Alt}");
  await user.paste("revoc.ble");
  await screen.findByText(/^1 hit so far · 512 messages read, back to .*2026$/);
  await waitFor(() => expect(answers).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Stop" }));
  answers[0]?.();
  await screen.findByText(/^2 hits so far · 1,024 messages read/);
  await user.click(screen.getByRole("button", { name: "Continue" }));
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.();
  await screen.findByText("3 hits", { selector: "p" });
  expect(asked().slice(-2)).toMatchObject([
    { before: 2000, limit: 99 },
    { before: 1000, limit: 98 },
  ]);
});

test("the newest hits are shown before all are counted", async () => {
  const { user, bindings, library } = await renderApp(<Panel scope="messages" />, { sessions: 3 });
  let count = () => {};
  const counting = new Promise<void>((done) => {
    count = done;
  });
  bindings.Search = async (query) => ({ ...library.search(query), uncounted: true });
  bindings.CountHits = async (query) => {
    await counting;
    const sessionId = library.search(query).hits[0]?.sessionId ?? "";
    return { total: 741, more: false, sessions: [{ sessionId, hits: 740 }] };
  };
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("revocable");
  await screen.findByText(/^The newest \d+ hits$/);
  count();
  await screen.findByText(/^The newest \d+ of 741 hits$/);
  await screen.findByText("740 hits");
});

test("commands and sessions are found in the same box", async () => {
  const { user } = await renderApp(<Panel scope="everything" />, { sessions: 8 });
  await screen.findByText("Recent sessions");
  await user.keyboard("trip to");
  await screen.findByRole("option", { name: /Trip to Lisbon/ });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onOpenSession).toHaveBeenCalledOnce());
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard(">undo");
  await screen.findByRole("option", { name: /Undo/ });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onUndo).toHaveBeenCalledOnce());
});

test("Enter waits for what was typed, and not for what was there before", async () => {
  onOpenSession.mockClear();
  const { user, library } = await renderApp(<Panel scope="everything" />, {
    sessions: 8,
    latencyMs: 50,
  });
  await screen.findByText("Recent sessions");
  await user.keyboard("trip to{Enter}");
  await waitFor(() => expect(onOpenSession).toHaveBeenCalledOnce());
  const opened = library.sessions.find(({ id }) => id === onOpenSession.mock.calls[0]?.[0]);
  expect(opened?.title).toMatch(/^Trip to Lisbon/);
});

test("Enter that was typed over is forgotten", async () => {
  onOpenSession.mockClear();
  const { user } = await renderApp(<Panel scope="everything" />, { sessions: 8, latencyMs: 50 });
  await screen.findByText("Recent sessions");
  await user.keyboard("trip{Enter} to");
  await screen.findByRole("option", { name: /Trip to Lisbon/ });
  await waitFor(() => expect(screen.queryByText("Recent sessions")).toBeNull());
  expect(onOpenSession).not.toHaveBeenCalled();
});

test("the first line is chosen, also where it comes last, until somebody moves", async () => {
  const { user } = await renderApp(<Panel scope="everything" />, { sessions: 8, latencyMs: 50 });
  const chosen = () =>
    screen
      .getAllByRole("option")
      .findIndex((line) => line.getAttribute("aria-selected") === "true");
  await screen.findByText("Recent sessions");
  await waitFor(() => expect(chosen()).toBe(0));
  await user.keyboard("{ArrowDown}{ArrowDown}");
  await waitFor(() => expect(chosen()).toBe(2));
  await user.keyboard("trip");
  await screen.findByRole("option", { name: /Trip to Lisbon/ });
  await waitFor(() => expect(chosen()).toBe(0));
});

test("an entry that arrives under a resting pointer is not chosen", async () => {
  const { user } = await renderApp(<Panel scope="everything" />, { sessions: 8 });
  await screen.findByText("Recent sessions");
  await user.keyboard("{ArrowDown}");
  const lines = () => screen.getAllByRole("option");
  const chosen = () => lines().findIndex((line) => line.getAttribute("aria-selected") === "true");
  await waitFor(() => expect(chosen()).toBe(1));
  const move = (x: number) =>
    fireEvent.pointerMove(lines()[3] as HTMLElement, { clientX: x, clientY: 7 });
  // Engines report a pointer at rest again when what is below it changes.
  move(5);
  move(5);
  expect(chosen()).toBe(1);
  move(6);
  await waitFor(() => expect(chosen()).toBe(3));
});

test("what may have been meant as a field is shown beside what was found", async () => {
  const { user, bindings, library } = await renderApp(<Panel scope="messages" />, { sessions: 3 });
  const hint = "roles: is not a field and is searched for as a word; did you mean role:?";
  bindings.Search = async (query) => ({
    ...library.search(query),
    hint: query.text.includes("roles:") ? hint : "",
  });
  await user.clear(screen.getByRole("combobox"));
  await user.keyboard("revocable");
  await screen.findByText(/^\d+ hits?$/, { selector: "p" });
  await user.keyboard(" roles:user");
  expect((await screen.findByText(hint)).closest("p")?.textContent).toContain("No message");
});

test("reports that no command has the words", async () => {
  const { user } = await renderApp(<Panel scope="everything" />, { sessions: 3 });
  await user.keyboard(">undo");
  await screen.findByRole("option", { name: /Undo/ });
  expect(screen.queryByText(/No command/)).toBeNull();
  await user.keyboard(" the sea");
  await screen.findByText("No command matches these words.");
});

test("a search is there again after a hit was opened, and its hits form a trail", async () => {
  function Reopened() {
    const [scope, setScope] = useState<SearchScope | undefined>("everything");
    return (
      <>
        <button type="button" onClick={() => setScope("everything")}>
          Search
        </button>
        <SearchPanel
          scope={scope}
          session={undefined}
          onClose={() => setScope(undefined)}
          onOpenSession={onOpenSession}
          onOpenHit={onOpenHit}
        />
      </>
    );
  }
  onOpenHit.mockClear();
  const { user } = await renderApp(<Reopened />, { sessions: 8 });
  await user.keyboard("revocable");
  const hits = () => screen.getAllByRole("option", { name: /revocable/ });
  await waitFor(() => expect(hits().length).toBeGreaterThan(1));
  await user.click(hits()[1] as HTMLElement);
  await waitFor(() => expect(onOpenHit).toHaveBeenCalledOnce());
  const before = stepTrail(-1);
  expect(before?.passage.snippet).toContain("revocable");
  expect(before?.uid).not.toBe(onOpenHit.mock.calls[0]?.[1]);
  expect(stepTrail(-1)).toBeUndefined();
  const reopen = () => user.click(screen.getByRole("button", { name: "Search", hidden: true }));
  await reopen();
  const field = () => screen.getByRole<HTMLInputElement>("combobox");
  expect(field().value).toBe("revocable");
  // It is selected: typing replaces it. What leads to a session or a command is not kept.
  await user.keyboard("trip to");
  await screen.findByRole("option", { name: /Trip to Lisbon/ });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(onOpenSession).toHaveBeenCalled());
  await reopen();
  expect(field().value).toBe("");
});
