import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { ContextMenu } from "@/components/menu/context-menu";
import { api, type Session } from "@/lib/api/api";
import { renderApp } from "@/testing/render-app";
import { useTitling } from "./title-dialog";

function Menu({ about }: { about: readonly Session[] }) {
  const titling = useTitling();
  return (
    <>
      <ContextMenu entries={() => [titling.entry(about)]}>
        <button type="button">here</button>
      </ContextMenu>
      {titling.dialog}
    </>
  );
}

async function opened(own = 0) {
  const about: Session[] = [];
  const app = await renderApp(<Menu about={about} />, { sessions: 4 });
  about.push(await api.getSession("01930001-fake-7000-8000-000000000001"));
  if (own > 0) app.bindings.EstimateTitles = async () => ({ sessions: 0, own, tokens: 0 });
  await app.user.pointer({ keys: "[MouseRight]", target: screen.getByText("here") });
  await app.user.click(await screen.findByRole("menuitem", { name: "Write title with a model…" }));
  const dialog = await screen.findByRole("dialog", { name: "Write title with a model" });
  return { ...app, dialog };
}

test("the cost is shown before a model writes a title, and it is written once the user agrees", async () => {
  const { user, dialog, calls } = await opened();
  await within(dialog).findByText(/^1 title: 600 tok, about \$0\.001\.$/);
  expect(calls.some(({ name }) => name === "WriteTitles")).toBe(false);
  await user.click(within(dialog).getByRole("button", { name: "Write title" }));
  await screen.findByText(/^Wrote 1 title · \$0\.001/);
  expect(calls.filter(({ name }) => name === "WriteTitles")).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a title of the user's own is not offered", async () => {
  const { dialog } = await opened(1);
  await within(dialog).findByText("1 title of your own stays.");
  expect(within(dialog).getByRole("button", { name: "Write title" })).toHaveProperty(
    "disabled",
    true,
  );
});
