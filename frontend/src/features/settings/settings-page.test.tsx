import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderApp } from "@/testing/render-app";
import SettingsPage, { type SettingsSection } from "./settings-page";

const nothing = async () => {};
const work = {
  job: undefined,
  running: false,
  backup: nothing,
  backupNow: nothing,
  check: nothing,
};

function open(at: SettingsSection, onClose = () => {}) {
  return renderApp(
    <SettingsPage
      at={at}
      sessionId=""
      work={{ ...work, cancel: nothing, reveal: nothing }}
      onClose={onClose}
    />,
  );
}

test("Escape closes the settings after the focus was lost", async () => {
  const onClose = vi.fn();
  const { user } = await open("models", onClose);
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("arrow keys choose a section, Escape closes the settings", async () => {
  const onClose = vi.fn();
  const { user } = await open("models", onClose);
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Models" }));
  await user.keyboard("{End}");
  await screen.findByRole("region", { name: "Software of others" });
  await user.keyboard("{Home}{ArrowDown}");
  await screen.findByRole("list", { name: "Agents" });
  expect(screen.getByRole("tabpanel", { name: "Agents and MCP servers" })).toBeTruthy();
  await user.keyboard("{Escape}");
  expect(onClose).toHaveBeenCalledOnce();
});

test("a key is sent once, tested, and never in a call or on the page", async () => {
  const { user, calls } = await open("models");
  const fetched = vi.spyOn(globalThis, "fetch");
  await user.click(await screen.findByRole("button", { name: "Enter the key of OpenAI" }));
  const field = screen.getByLabelText("Key of OpenAI");
  expect(field.getAttribute("type")).toBe("password");
  await user.type(field, "sk-secret{Enter}");
  await screen.findByText(/^Works · 2 models/);
  await screen.findByRole("button", { name: "Remove the key of OpenAI" });
  expect(fetched.mock.calls.map(([path, init]) => [path, init?.body])).toEqual([
    ["/key/openai", "sk-secret"],
  ]);
  expect(JSON.stringify(calls)).not.toContain("sk-secret");
  expect(document.body.innerHTML).not.toContain("sk-secret");
  await user.click(screen.getByRole("button", { name: "Remove the key of OpenAI" }));
  await screen.findByText("No key · or set OPENAI_API_KEY");
  fetched.mockRestore();
});

test("without a keyring the page shows what happens to a key, and holds it in memory", async () => {
  const { user, bindings } = await open("about");
  const { ListProviders } = bindings;
  bindings.ListProviders = async () => ({ ...(await ListProviders()), keyring: "no answer" });
  await user.click(screen.getByRole("tab", { name: "Models" }));
  await screen.findByText("No keyring responds on this system.");
  await user.click(await screen.findByRole("button", { name: "Enter the key of OpenAI" }));
  await user.type(screen.getByLabelText("Key of OpenAI"), "sk-secret{Enter}");
  await screen.findByText("Key in memory until Coppice closes");
});

test("an MCP server is added, tested and turned off", async () => {
  const { user } = await open("agents");
  await user.click(await screen.findByRole("button", { name: "Add MCP server…" }));
  const dialog = screen.getByRole("dialog", { name: "Add MCP server" });
  await user.type(within(dialog).getByLabelText("Name"), "notes");
  await user.type(within(dialog).getByLabelText("Command"), "npx");
  await user.type(within(dialog).getByLabelText("Arguments"), '-y "my notes"');
  await user.click(within(dialog).getByRole("button", { name: "Save" }));
  const row = (await screen.findByText("npx -y my notes")).closest("li") as HTMLElement;
  await user.click(within(row).getByRole("button", { name: "Test notes" }));
  await within(row).findByText(/^Works · 1 tool in/);
  await user.click(within(row).getByRole("button", { name: "Turn notes off" }));
  await screen.findByRole("button", { name: "Turn notes on" });
});

test("an agent is added and removed", async () => {
  const { user } = await open("agents");
  await user.click(await screen.findByRole("button", { name: "Add agent…" }));
  await user.type(screen.getByLabelText("Name"), "reviewer");
  await user.type(screen.getByLabelText("Tools"), "read_* search_files");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await user.click(await screen.findByRole("button", { name: "Edit reviewer" }));
  expect((screen.getByLabelText("Tools") as HTMLInputElement).value).toBe("read_* search_files");
  await user.click(screen.getByRole("button", { name: "Remove agent" }));
  await waitFor(() => expect(screen.queryByText("reviewer")).toBeNull());
});

test("text, contrast and notifications are stored", async () => {
  const { user, calls } = await open("reading");
  const last = () => calls.findLast(({ name }) => name === "SetSettings")?.args[0];
  await user.click(await screen.findByRole("radio", { name: /^Wide/ }));
  await waitFor(() => expect(last()).toMatchObject({ readingWidth: "wide" }));
  await user.click(screen.getByRole("radio", { name: /^Digest/ }));
  await user.click(screen.getByRole("tab", { name: "Appearance" }));
  await user.click(screen.getByRole("checkbox", { name: /^High contrast/ }));
  await waitFor(() => expect(last()).toMatchObject({ readingWidth: "wide", highContrast: true }));
  await user.click(screen.getByRole("tab", { name: "Notifications" }));
  await user.click(screen.getByRole("checkbox", { name: /^When a run ends/ }));
  await waitFor(() => expect(last()).toMatchObject({ muteEnds: true }));
});
