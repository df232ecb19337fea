import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import type { LibraryState } from "@/lib/api/api";
import { changeOf } from "@/testing/fake-change";
import { renderApp } from "@/testing/render-app";
import { LibraryGate } from "./library-gate";
import { riskText } from "./library-notices";
import { lossOf } from "./recovery-report";

/** A busy machine draws late. */
const patience = { timeout: 15_000 };

const day = 86_400_000;
const backup = (age: number, verified = true) => ({
  path: `/library/backups/${age}.db`,
  kind: "daily",
  createdAtMs: Date.now() - age * day,
  sizeBytes: 1_200_000,
  verified,
});

const damaged: LibraryState = {
  path: "/library/coppice.db",
  state: "damaged",
  message: "open the library: database disk image is malformed",
  damage: [],
  backups: [backup(1, false), backup(2), backup(9)],
  dailyBackups: false,
  encrypted: false,
  inKeyring: false,
};

async function renderDamaged() {
  const fake = await renderApp(
    <LibraryGate>
      <p>the sessions</p>
    </LibraryGate>,
  );
  return fake;
}

/** The window on a library in a synchronised folder. */
async function renderRisk() {
  const fake = await renderDamaged();
  fake.bindings.GetLocationRisk = async () => ({
    syncedBy: "Dropbox",
    folder: "/home/ada/Dropbox",
    network: "",
  });
  return fake;
}

test("a sound library is shown at once", async () => {
  await renderDamaged();
  await screen.findByText("the sessions");
  expect(screen.queryByRole("heading", { name: "The library is damaged" })).toBeNull();
});

test("a damaged library offers its backups, the newest verified one first, and opens after a restore", async () => {
  const { bindings, calls, user, emit } = await renderDamaged();
  let now = damaged;
  bindings.GetLibraryState = async () => now;
  bindings.RestoreBackup = async () => {
    now = { ...damaged, state: "open" };
    return "/library/coppice.replaced.db";
  };
  // A change that comes while the first answer is on its way is not asked for again.
  await waitFor(() => {
    emit("changed", changeOf("library"));
    screen.getByRole("heading", { name: "The library is damaged" });
  }, patience);
  expect(screen.queryByText("the sessions")).toBeNull();
  // No command line in the window.
  expect(document.body.textContent).not.toMatch(/coppice (db|recover)/);
  const buttons = screen.getAllByRole("button", { name: /^Restore the backup of/ });
  expect(buttons).toHaveLength(3);
  await user.click(buttons[0] as HTMLElement);
  await screen.findByText("the sessions", {}, patience);
  expect(calls.find(({ name }) => name === "RestoreBackup")?.args).toEqual([
    "/library/backups/2.db",
  ]);
});

test("damaged pages of an open library are announced, and the ways out lead back to it", async () => {
  const { bindings, user, emit } = await renderDamaged();
  const found = "messages: page 16 is malformed";
  bindings.GetLibraryState = async () => ({ ...damaged, state: "open", damage: [found] });
  await waitFor(() => {
    emit("changed", changeOf("library"));
    screen.getByRole("alert");
  }, patience);
  screen.getByText("the sessions");
  const repair = screen.getByRole("button", { name: "Repair…" });
  expect(repair.title).toBe(found);
  await user.click(repair);
  screen.getByRole("heading", { name: "The library is damaged" });
  expect(screen.queryByText("the sessions")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Back to the library" }));
  screen.getByText("the sessions");
});

test("a synchronised folder is warned of until the notice is dismissed", async () => {
  const { bindings, calls, user } = await renderRisk();
  const notice = await screen.findByText(/^Dropbox synchronises \/home\/ada\/Dropbox, which/);
  bindings.GetLocationRisk = async () => ({ syncedBy: "", folder: "", network: "" });
  await user.click(screen.getByRole("button", { name: "Dismiss for today" }));
  await waitFor(() => expect(notice.isConnected).toBe(false), patience);
  expect(calls.some(({ name }) => name === "DismissLocationRisk")).toBe(true);
});

test("the notice names the risk and what to do", () => {
  const none = { syncedBy: "", folder: "", network: "" };
  expect(riskText(none)).toBe("");
  expect(riskText({ ...none, network: "NFS" })).toMatch(/network file system \(NFS\).*local disk/);
  expect(riskText({ ...none, syncedBy: "Dropbox", folder: "/d" })).toMatch(/another folder/);
});

test("what is missing of a session is described", () => {
  const session = {
    id: "a",
    title: "t",
    expected: 10,
    saved: 8,
    shortened: 1,
    changed: 0,
    newRoots: 1,
  };
  expect(lossOf(session)).toBe(
    "2 of 10 messages lost · 1 message shortened · 1 message without a parent",
  );
  expect(lossOf({ ...session, saved: 10, shortened: 0, newRoots: 0 })).toBe("");
});
