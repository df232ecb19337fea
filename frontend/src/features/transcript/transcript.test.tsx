import { useQuery } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { useMemo, useState } from "react";
import { expect, test, vi } from "vitest";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import type { ViewLocation } from "@/lib/session/location";
import { changeOf } from "@/testing/fake-change";
import { renderApp } from "@/testing/render-app";
import { Transcript } from "./transcript";

/** The session of the fake that has branches, labels, calls, an image and a summary. */
const id = "01930001-fake-7000-8000-000000000001";
const onExport = vi.fn();

interface OpenedProps {
  id: string;
  leafUid?: string;
  focusUid?: string;
}

function Opened({ id, leafUid, focusUid }: OpenedProps) {
  const { data: session } = useQuery({
    queryKey: keys.session(id),
    queryFn: () => api.getSession(id),
  });
  const [view, setView] = useState<ViewLocation>({ leafUid: leafUid ?? "", focusUid });
  const focus = useMemo(() => view.focusUid && { uid: view.focusUid }, [view]);
  if (!session) return null;
  return (
    <>
      <button type="button" onClick={() => setView({ ...view })}>
        Go there again
      </button>
      <Transcript
        session={session}
        leafUid={view.leafUid || session.headUid}
        focus={focus || undefined}
        onView={setView}
        onExport={onExport}
      />
    </>
  );
}

/** Waits until the path to the head is shown, whole: then the bar below it is hidden. */
const isAtHead = () =>
  waitFor(() => {
    expect(screen.queryByText(/t the current position/)).toBeNull();
    const [article] = screen.getAllByRole("article");
    expect(article?.getAttribute("aria-setsize")).toBe("22");
  });

async function drawn(opened: Partial<OpenedProps> = {}) {
  const fake = await renderApp(<Opened id={id} {...opened} />, { sessions: 20 });
  const feed = await screen.findByRole("feed", { name: "Messages" });
  await within(feed).findAllByRole("article");
  const calls = (name: string) => fake.calls.filter((call) => call.name === name);
  const message = (text: RegExp) => {
    const articles = within(feed).getAllByRole("article");
    const found = articles.find((article) => text.test(article.textContent ?? ""));
    if (!found) throw new Error(`no message says ${text}`);
    return found;
  };
  return { ...fake, feed, calls, message };
}

test("names each message, its place and its alternatives", async () => {
  const { message } = await drawn();
  const prompt = message(/instead of signed cookies/);
  expect(prompt.getAttribute("aria-label")).toBe(
    "You, 2 of 2 alternatives, labelled keep sessions in a table",
  );
  expect(prompt.getAttribute("aria-setsize")).toBe("22");
  expect(prompt.getAttribute("aria-posinset")).toBe("15");
});

test("the pager shows the path through the alternative, and back to where one was", async () => {
  const { user, message } = await drawn();
  const prompt = message(/instead of signed cookies/);
  await user.click(within(prompt).getByRole("button", { name: "Previous alternative" }));
  const other = await screen.findByRole("article", { name: /You, 1 of 2/ });
  expect(other.textContent).toContain("Sign cookies with rotating keys");
  await waitFor(() => expect(screen.getByText(/^Not at the current position/)).toBeTruthy());
  await user.click(within(other).getByRole("button", { name: "Next alternative" }));
  await waitFor(() => expect(message(/instead of signed cookies/)).toBeTruthy());
  await isAtHead();
});

test("the pager's menu lists the alternatives with the size of what is below", async () => {
  const { user, message } = await drawn();
  const prompt = message(/instead of signed cookies/);
  await user.click(within(prompt).getByRole("button", { name: "Alternative 2 of 2" }));
  const line = await screen.findByRole("menuitemcheckbox", { name: /rotating keys.*16 messages/ });
  await user.click(line);
  await waitFor(() => expect(message(/rotating keys/)).toBeTruthy());
});

test("reads fold into one line that opens to their cards", async () => {
  const { user, message } = await drawn();
  const answer = message(/A table makes each token/);
  const run = within(answer).getByRole("button", { name: /2 reads · 1 search/ });
  expect(within(answer).queryByText("grep")).toBeNull();
  await user.click(run);
  expect(within(answer).getAllByText("read_file")).toHaveLength(2);
});

test("a card opens to its details, asked for once, and stays open on another branch", async () => {
  const { user, message, calls } = await drawn();
  const card = () => within(message(/A table makes/)).getByRole("button", { name: /edit_file/ });
  await user.click(card());
  await screen.findByRole("figure", { name: "Changes to backend/auth/session.go" });
  await user.click(
    within(message(/instead of signed/)).getByRole("button", { name: "Previous alternative" }),
  );
  const other = await screen.findByRole("article", { name: /You, 1 of 2/ });
  await user.click(within(other).getByRole("button", { name: "Next alternative" }));
  await waitFor(() => expect(card().getAttribute("aria-expanded")).toBe("true"));
  expect(calls("GetToolDetail")).toHaveLength(1);
});

test("a failed load says so in its place and can be tried again", async () => {
  const { user, message, bindings } = await drawn();
  const works = bindings.GetToolDetail;
  bindings.GetToolDetail = async () => {
    throw { code: "busy", message: "the library is being written" };
  };
  const answer = message(/A table makes/);
  await user.click(within(answer).getByRole("button", { name: /edit_file/ }));
  const alert = await within(answer).findByRole("alert");
  expect(alert.textContent).toContain("the library is being written");
  bindings.GetToolDetail = works;
  await user.click(within(alert).getByRole("button", { name: "Retry" }));
  await screen.findByRole("figure", { name: "Changes to backend/auth/session.go" });
});

test("branching from a message moves the head there, and Undo brings it back", async () => {
  const { user, message, library } = await drawn();
  const before = library.open(id).session.headUid;
  message(/Sign cookies with rotating keys, keep/).focus();
  await user.keyboard("b");
  await waitFor(() => expect(library.open(id).session.headUid).toBe(`${id}-m13`));
  await waitFor(() =>
    expect(screen.getByText(/^At the current position/).textContent).toContain("14 messages"),
  );
  expect(screen.getByRole("button", { name: "Show what follows" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(library.open(id).session.headUid).toBe(before));
  await isAtHead();
});

test("a branch without the head offers to continue there", async () => {
  const { user, message, library } = await drawn();
  const prompt = message(/instead of signed cookies/);
  await user.click(within(prompt).getByRole("button", { name: "Previous alternative" }));
  const [inTitle] = await screen.findAllByRole("button", { name: "Continue from here" });
  await user.click(inTitle as HTMLElement);
  await waitFor(() => expect(library.open(id).session.headUid).toBe(`${id}-m29`));
  await waitFor(() =>
    expect(screen.queryByRole("button", { name: "Continue from here" })).toBeNull(),
  );
});

test("keys move between messages, open what is folded, and label", async () => {
  const { user, message, library } = await drawn();
  const answer = message(/A table makes/);
  answer.focus();
  await user.keyboard("{Shift>}k{/Shift}");
  await waitFor(() => expect(document.activeElement).toBe(message(/instead of signed/)));
  await user.keyboard("{Shift>}j{/Shift}{Enter}");
  await waitFor(() =>
    expect(
      within(answer)
        .getByRole("button", { name: /Reasoning/ })
        .getAttribute("aria-expanded"),
    ).toBe("true"),
  );
  await user.keyboard("k");
  await waitFor(() => expect(document.activeElement).toBe(message(/instead of signed/)));
  await user.keyboard("l");
  const field = await screen.findByRole("textbox", { name: "Label of this turn" });
  expect(field).toHaveProperty("value", "keep sessions in a table");
  await user.clear(field);
  await user.type(field, "the table{Enter}");
  await waitFor(() => expect(library.open(id).labels()).toContain("the table"));
  await within(message(/instead of signed/)).findByText("the table");
});

test("F2 renames the session, and Undo gives the old title back", async () => {
  const { user, message, library } = await drawn();
  message(/A table makes/).focus();
  await user.keyboard("{F2}");
  const field = await screen.findByRole("textbox", { name: "Title" });
  await user.clear(field);
  await user.type(field, "Sessions in a table{Enter}");
  await waitFor(() => expect(library.open(id).session.title).toBe("Sessions in a table"));
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await waitFor(() => expect(library.open(id).session.title).toBe("Refactor the auth module"));
});

test("what the tool put in is one line, and a summary stands in a dashed one", async () => {
  const { user, feed, message } = await drawn();
  const context = within(feed).getByRole("article", { name: /^Context/ });
  expect(context.textContent).not.toContain("Use small files");
  await user.click(within(context).getByRole("button", { name: /Project instructions/ }));
  expect(context.textContent).toContain("Use small files");
  const fold = screen.getByRole("button", { name: /10 messages summarised/ });
  expect(fold.textContent).toContain("~48,200 → 6,100 tok");
  await user.click(fold);
  const summary = message(/They are still in the session/);
  expect(summary.textContent).toContain("signed with one key");
  // It opens to the messages that it replaces in the context.
  expect(within(summary).queryAllByRole("button", { name: "Go to this message" })).toEqual([]);
  await user.click(
    await within(summary).findByRole("button", { name: "Show 10 replaced messages" }),
  );
  expect(
    (await within(summary).findAllByRole("button", { name: "Go to this message" })).length,
  ).toBeGreaterThan(0);
  expect(summary.textContent).toContain("Map the auth module first");
  await user.click(within(summary).getByRole("button", { name: "Hide 10 replaced messages" }));
  expect(within(summary).queryAllByRole("button", { name: "Go to this message" })).toEqual([]);
});

test("a leaf that is gone leads back to the head", async () => {
  await drawn({ leafUid: "no-such-message" });
  await isAtHead();
});

test("a message that is asked for again is gone to again", async () => {
  const { message, user } = await drawn({ focusUid: `${id}-m30` });
  const asked = () => message(/instead of signed cookies/);
  await waitFor(() => expect(asked().tabIndex).toBe(0));
  message(/A table makes/).focus();
  await waitFor(() => expect(asked().tabIndex).toBe(-1));
  await user.click(screen.getByRole("button", { name: "Go there again" }));
  await waitFor(() => expect(asked().tabIndex).toBe(0));
});

test("a result that is asked for is shown on the card of its call, wherever that is folded", async () => {
  const run = "01930016-fake-7000-8000-000000000016";
  const { feed } = await drawn({ id: run, focusUid: `${run}-m13` });
  const fold = await within(feed).findByRole("button", { name: /12 reads · 3 searches/ });
  await waitFor(() => expect(fold.getAttribute("aria-expanded")).toBe("true"));
  const cards = within(feed).getAllByRole("button", { name: /^(Read|Grep)/ });
  const open = cards.filter((card) => card.getAttribute("aria-expanded") === "true");
  expect(open.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("part_4.go"),
  ]);
  await within(feed).findByRole("figure", { name: "Result" });
});

test("says where a message is from above it, and what was split off after it below", async () => {
  const { feed, message, bindings, emit } = await drawn();
  const words = /A table makes each token/;
  const { messages } = await bindings.GetWindow(id, "", 0, 22);
  const uid = messages.find((one) => words.test(JSON.stringify(one)))?.uid ?? "";
  const link = { uid, turn: 1, sessionId: "other", otherUid: "", otherTurn: -1, state: "there" };
  bindings.ListLinks = async () => [
    { ...link, way: "graft_from", title: "The garden" },
    { ...link, way: "split_to", title: "The orchard" },
  ];
  emit("changed", changeOf("list"));
  await within(feed).findByText("The orchard");
  const text = message(words).textContent ?? "";
  const places = ["The garden", "A table makes each token", "edit_file", "The orchard"];
  const found = places.map((place) => text.indexOf(place));
  expect(found).not.toContain(-1);
  expect(found).toEqual([...found].sort((a, b) => a - b));
});
