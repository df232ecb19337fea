import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Session } from "@/lib/api/api";
import { useCommand } from "@/lib/keys/commands";
import { renderApp } from "@/testing/render-app";
import { NoMessages } from "./no-messages";

const onRestore = vi.fn();

function Shown({ hiddenCount }: { hiddenCount: number }) {
  useCommand("restore-turns", onRestore);
  return <NoMessages session={{ hiddenCount } as Session} />;
}

test("a session whose turns are all in its trash says so, and gives them back", async () => {
  const { user } = await renderApp(<Shown hiddenCount={19} />);
  screen.getByText("All turns are in the trash");
  await user.click(screen.getByRole("button", { name: "Restore all" }));
  expect(onRestore).toHaveBeenCalledOnce();
});

test("a session without messages says that it has none yet", async () => {
  await renderApp(<Shown hiddenCount={0} />);
  screen.getByText("No messages yet");
  expect(screen.queryByRole("button")).toBeNull();
});
