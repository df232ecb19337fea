import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { runCommand } from "@/lib/keys/commands";
import { changeOf } from "@/testing/fake-change";
import { renderApp } from "@/testing/render-app";
import { Library } from "./library";

const onExport = vi.fn();
const onEnter = vi.fn();

function Opened({ floats = false }) {
  const [openId, setOpenId] = useState("");
  return (
    <>
      <output>{openId}</output>
      <Library {...{ openId, floats, onEnter, onExport }} onOpen={setOpenId} />
    </>
  );
}

async function drawn(sessions = 40, floats = false) {
  const fake = await renderApp(<Opened floats={floats} />, { sessions });
  const options = await screen.findAllByRole("option");
  const list = screen.getByRole("listbox", { name: "Sessions" });
  const selected = () => within(list).getAllByRole("option", { selected: true });
  const calls = (name: string) => fake.calls.filter((call) => call.name === name);
  return { ...fake, list, options, selected, calls };
}

const title = (option: Element | undefined) => option?.querySelector("[title]")?.textContent;

test("a click opens a session, arrow keys go on from there", async () => {
  const { user, options, selected, list } = await drawn();
  await user.click(options[2] as Element);
  expect(screen.getByRole("status")).toHaveProperty("textContent", options[2]?.dataset.session);
  expect(document.activeElement).toBe(list);
  expect(list.getAttribute("aria-activedescendant")).toBe(options[2]?.id);
  await user.keyboard("{ArrowDown}");
  expect(selected().map(title)).toEqual([title(options[3])]);
  await user.keyboard("{Home}");
  expect(selected().map(title)).toEqual([title(options[0])]);
});

test("a click in a library that floats goes to the session; keys, and clicks that select, stay in the list", async () => {
  const { user, options } = await drawn(40, true);
  onEnter.mockClear();
  await user.click(options[2] as Element);
  expect(screen.getByRole("status")).toHaveProperty("textContent", options[2]?.dataset.session);
  expect(onEnter).toHaveBeenCalledOnce();
  await user.keyboard("{ArrowDown}{Control>}");
  await user.click(options[5] as Element);
  await user.keyboard("{/Control}");
  expect(onEnter).toHaveBeenCalledOnce();
});

test("several go to the trash at once, the next one is selected, and Undo brings them back", async () => {
  const { user, options, selected, calls } = await drawn();
  await user.click(options[2] as Element);
  await user.keyboard("{Shift>}{ArrowDown}{ArrowDown}{/Shift}");
  expect(selected()).toHaveLength(3);
  const bar = screen.getByRole("toolbar", { name: "Selected sessions" });
  expect(bar.textContent).toContain("3 selected");
  await user.keyboard("{Delete}");
  await screen.findByText("Moved 3 sessions to trash");
  const ids = [2, 3, 4].map((index) => options[index]?.dataset.session);
  expect(calls("TrashSessions")[0]?.args).toEqual([ids]);
  await waitFor(() => expect(selected().map(title)).toEqual([title(options[5])]));
  expect(screen.queryByRole("toolbar", { name: "Selected sessions" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(calls("RestoreSessions")[0]?.args).toEqual([ids]));
});

test("Ctrl and A selects what was not read yet, too", async () => {
  const { user, options } = await drawn(460);
  await user.click(options[0] as Element);
  await user.keyboard("{Control>}a{/Control}");
  const bar = await screen.findByRole("toolbar", { name: "Selected sessions" });
  const total = options[0]?.getAttribute("aria-setsize");
  await waitFor(() => expect(bar.textContent).toContain(`${total} selected`));
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("toolbar", { name: "Selected sessions" })).toBeNull();
});

test("F2 renames in place; Esc leaves the title as it was", async () => {
  const { user, options, calls, list } = await drawn();
  await user.click(options[2] as Element);
  await user.keyboard("{F2}");
  await user.keyboard("Another title{Escape}");
  expect(calls("RenameSession")).toEqual([]);
  await user.keyboard("{F2}");
  const field = screen.getByRole("textbox", { name: "Title" });
  await user.clear(field);
  await user.type(field, "Another title{Enter}");
  expect(calls("RenameSession")[0]?.args).toEqual([options[2]?.dataset.session, "Another title"]);
  await waitFor(() =>
    expect(title(list.querySelector("[aria-selected=true]") ?? undefined)).toBe("Another title"),
  );
  expect(document.activeElement).toBe(list);
});

test("the filter asks Go, and reports when nothing fits", async () => {
  const { user } = await drawn();
  await user.type(screen.getByRole("textbox", { name: /Filter sessions/ }), "no such session");
  await screen.findByText("No session matches the filter");
  await user.click(screen.getByRole("button", { name: "Clear all filters" }));
  expect((await screen.findAllByRole("option")).length).toBeGreaterThan(5);
});

test("deleting for good asks first, and Cancel keeps everything", async () => {
  const { user, calls } = await drawn(60);
  runCommand("show-trash");
  await screen.findByText("Kept until you empty the trash.");
  await user.click(screen.getByRole("button", { name: "Empty trash…" }));
  const dialog = await screen.findByRole("dialog", { name: /Delete everything in the trash/ });
  await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(calls("PurgeSessions")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Empty trash…" }));
  await user.click(await screen.findByRole("button", { name: "Delete for good" }));
  await screen.findByText("The trash is empty");
  expect(calls("PurgeSessions")[0]?.args).toEqual([[]]);
});

test("a failure shows what happened and can be tried again", async () => {
  const fake = await renderApp(<Opened />, { sessions: 5 });
  const list = fake.bindings.ListSessions;
  fake.bindings.ListSessions = async () => {
    throw { code: "corrupt", message: "the file is damaged", hint: "restore a backup" };
  };
  fake.emit("changed", changeOf("list"));
  // Loaded sessions stay; only a failed first load is shown.
  expect((await screen.findAllByRole("option")).length).toBe(5);
  runCommand("show-archived");
  await screen.findByText("the file is damaged");
  screen.getByText("restore a backup");
  fake.bindings.ListSessions = list;
  await fake.user.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("The archive is empty");
});

test("a filter that is typed is asked for once, and what was there stays until its list comes", async () => {
  const { calls, bindings, list } = await drawn();
  const works = bindings.ListSessions;
  let answer = () => {};
  bindings.ListSessions = (filter) =>
    new Promise((done) => {
      answer = () => done(works(filter));
    });
  const before = calls("ListSessions").length;
  const rows = within(list).getAllByRole("option").length;
  const box = screen.getByRole("textbox", { name: /^Filter sessions/ });
  // Without delay: real key presses may be further apart than the field waits.
  for (const value of ["a", "au", "aut", "auth"]) fireEvent.change(box, { target: { value } });
  await waitFor(() => expect(calls("ListSessions")).toHaveLength(before + 1));
  expect(calls("ListSessions").at(-1)?.args[0]).toMatchObject({ query: "auth" });
  expect(within(list).getAllByRole("option")).toHaveLength(rows);
  answer();
  await waitFor(() => expect(screen.getAllByRole("option").length).toBeLessThan(rows));
});

test("the name of a changed file is suggested while it is typed", async () => {
  const { user } = await drawn();
  await user.click(screen.getByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: "Changed file…" }));
  const box = screen.getByRole<HTMLInputElement>("textbox", { name: /^Filter sessions/ });
  await waitFor(() => expect(document.activeElement).toBe(box));
  expect(box.value).toBe("file:");
  await user.type(box, "mai");
  const values = () =>
    [...document.querySelectorAll<HTMLOptionElement>("datalist option")].map((one) => one.value);
  await waitFor(() => expect(values()).toEqual(["file:main.go", "file:main_test.go"]));
});

test("a session in which a secret was found has a mark, as soon as it is known", async () => {
  const { bindings, emit, options } = await drawn();
  const name = "a secret was found in it";
  expect(screen.queryByRole("img", { name })).toBeNull();
  const id = options[1]?.dataset.session ?? "";
  bindings.GetSessionsWithSecrets = async () => [id];
  emit("changed", changeOf("list"));
  const mark = await screen.findByRole("img", { name });
  expect(mark.closest("[data-session]")?.getAttribute("data-session")).toBe(id);
});
