import { screen, waitFor, within } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import type { Approval } from "@/lib/api/api";
import { renderApp } from "@/testing/render-app";
import { Approvals } from "./approvals";

const imported: Approval = {
  id: "x",
  scope: "session",
  sessionId: "s",
  workspacePath: "",
  tool: "run_command",
  matcher: "rm *",
  decision: "allow",
  reason: "",
  createdAtMs: 1,
  unconfirmed: true,
};

/** Shows the list when the test has set what it holds. */
function Later() {
  const [shown, setShown] = useState(false);
  return shown ? (
    <Approvals sessionId="s" />
  ) : (
    <button type="button" onClick={() => setShown(true)}>
      Show
    </button>
  );
}

test("an imported permission is in force when the user has confirmed it", async () => {
  const { user, bindings, calls } = await renderApp(<Later />);
  let approval = imported;
  bindings.ListApprovals = async () => [approval];
  bindings.ConfirmApproval = async () => {
    approval = { ...imported, unconfirmed: false };
  };
  await user.click(screen.getByRole("button", { name: "Show" }));
  const row = await screen.findByRole("listitem");
  expect(row.textContent).toContain("imported, not in force: run_command rm *");
  await user.click(within(row).getByRole("button", { name: "Allow run_command rm *" }));
  await waitFor(() =>
    expect(screen.getByRole("listitem").textContent).toContain("allow run_command rm *"),
  );
  expect(screen.queryByRole("button", { name: "Allow run_command rm *" })).toBeNull();
  expect(calls.filter(({ name }) => name === "ConfirmApproval")).toEqual([
    { name: "ConfirmApproval", args: ["x"] },
  ]);
});
