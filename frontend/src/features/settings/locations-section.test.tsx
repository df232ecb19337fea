import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { changeOf } from "@/testing/fake-change";
import { renderApp } from "@/testing/render-app";
import { LocationsSection } from "./locations-section";

test("places are followed and no longer followed, and any folder can be one", async () => {
  const { user, calls } = await renderApp(<LocationsSection />);
  const last = () => calls.findLast(({ name }) => name === "SetFollowed")?.args[0];
  await user.click(await screen.findByRole("button", { name: /^Follow Codex/ }));
  expect(last()).toEqual(["/home/ada/.codex/sessions"]);
  await screen.findByRole("button", { name: "Stop following /home/ada/.codex/sessions" });
  expect(screen.queryByRole("button", { name: /^Follow Codex/ })).toBeNull();

  await user.click(screen.getByRole("button", { name: "Follow folder…" }));
  await waitFor(() =>
    expect(last()).toEqual(["/home/ada/.codex/sessions", "/home/ada/Downloads/sessions"]),
  );
  await user.click(
    await screen.findByRole("button", { name: "Stop following /home/ada/.codex/sessions" }),
  );
  await waitFor(() => expect(last()).toEqual(["/home/ada/Downloads/sessions"]));
});

test("it shows why nothing is imported", async () => {
  const fake = await renderApp(<LocationsSection />);
  await screen.findByRole("button", { name: /^Follow Codex/ });
  fake.bindings.GetFollowed = async () => ({
    paths: ["/home/ada/.codex/sessions"],
    chosen: true,
    missing: ["/home/ada/.codex/sessions"],
    trouble: "the disk is full",
    progress: { done: 0, total: 0, doneBytes: 0, totalBytes: 0, current: "" },
  });
  fake.emit("changed", changeOf("following"));
  expect((await screen.findByRole("alert")).textContent).toContain("the disk is full");
  const row = screen.getByRole("list", { name: "Followed folders" });
  expect(row.textContent).toContain("Not found");
  screen.getByRole("button", { name: "Choose the new place of /home/ada/.codex/sessions" });
});
