import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { api, type Session, type WakeRequest } from "@/lib/api/api";
import { runCommand } from "@/lib/keys/commands";
import { installFake } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";
import { HibernateCommand } from "./hibernate-dialog";

const id = "01930001-fake-7000-8000-000000000001";

async function opened(change: Partial<Session> = {}) {
  installFake({ sessions: 4 });
  const session = { ...(await api.getSession(id)), ...change };
  const app = await renderApp(<HibernateCommand session={session} />, { sessions: 4 });
  const runs = runCommand("hibernate");
  return { ...app, runs };
}

test("a session hibernates with the conditions that were entered", async () => {
  const { bindings, user, library } = await opened();
  const asked: WakeRequest[] = [];
  const { HibernateSession } = bindings;
  bindings.HibernateSession = async (session, request) => {
    asked.push(request);
    return HibernateSession(session, request);
  };
  const dialog = await screen.findByRole("dialog", { name: "Hibernate session" });
  await user.type(within(dialog).getByRole("textbox", { name: "At a time" }), "18:00");
  await user.click(within(dialog).getByRole("button", { name: "File…" }));
  const other = library.all().find((one) => one.id !== id) as Session;
  await within(dialog).findByRole("option", { name: other.title });
  await user.selectOptions(within(dialog).getByRole("combobox"), other.id);
  await user.click(within(dialog).getByRole("button", { name: "Hibernate" }));
  await screen.findByText(/^Hibernated until you continue it, or at .*notes.md changes/);
  expect(asked).toEqual([{ at: "18:00", path: "/home/ada/src/notes.md", sessionId: other.id }]);
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("what cannot be a condition is reported in the dialog", async () => {
  const { bindings, user } = await opened();
  bindings.HibernateSession = async () => {
    throw { code: "invalid", message: 'invalid time "soon"', hint: "", remedy: "" };
  };
  await user.type(await screen.findByRole("textbox", { name: "At a time" }), "soon");
  await user.click(screen.getByRole("button", { name: "Hibernate" }));
  expect((await screen.findByText(/invalid time/)).getAttribute("role")).toBe("alert");
});

test("a running session is not offered to hibernate", async () => {
  const { runs } = await opened({ status: "running" });
  expect(runs).toBe(false);
});
