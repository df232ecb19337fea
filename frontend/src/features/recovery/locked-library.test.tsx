import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { LibraryState } from "@/lib/api/api";
import { changeOf } from "@/testing/fake-change";
import { renderApp } from "@/testing/render-app";
import { LibraryGate } from "./library-gate";

/** A busy machine draws late. */
const patience = { timeout: 15_000 };

const locked: LibraryState = {
  path: "/library/coppice.db",
  state: "locked",
  message: "the library is encrypted and locked",
  damage: [],
  backups: [],
  dailyBackups: false,
  encrypted: true,
  inKeyring: true,
};

afterEach(() => vi.unstubAllGlobals());

/** The window on a locked library that a passphrase opens. */
async function renderLocked(right: string) {
  const fake = await renderApp(
    <LibraryGate>
      <p>the sessions</p>
    </LibraryGate>,
  );
  let now = locked;
  const open = () => {
    now = { ...locked, state: "open" };
  };
  fake.bindings.GetLibraryState = async () => now;
  fake.bindings.UnlockByKeyring = async () => open();
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    expect(path).toBe("/library-key");
    if (init.body !== right)
      return Response.json({ code: "auth", message: "does not open the library" }, { status: 400 });
    open();
    return Response.json("");
  });
  await waitFor(() => {
    fake.emit("changed", changeOf("library"));
    screen.getByRole("heading", { name: "The library is locked" });
  }, patience);
  return fake;
}

test("a locked library shows nothing but the field for its key, and opens with it", async () => {
  const { user } = await renderLocked("right");
  const field = await screen.findByLabelText("Passphrase or recovery code", {}, patience);
  expect(screen.queryByText("the sessions")).toBeNull();
  await user.type(field, "wrong{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("does not open the library");
  await user.clear(field);
  await user.type(field, "right");
  await user.click(screen.getByRole("button", { name: "Unlock" }));
  await screen.findByText("the sessions", {}, patience);
});

test("a locked library opens with the keyring", async () => {
  const { user } = await renderLocked("");
  await user.click(
    await screen.findByRole("button", { name: "Unlock with the keyring" }, patience),
  );
  await waitFor(() => screen.getByText("the sessions"), patience);
});
