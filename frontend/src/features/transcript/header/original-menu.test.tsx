import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Session } from "@/lib/api/api";
import { renderApp } from "@/testing/render-app";
import { OriginalMenu } from "./original-menu";

const session = {
  id: "s1",
  source: "claude_code",
  relation: "",
  deletedAtMs: 0,
  workspacePath: "/home/ada/src",
  sourcePath: "",
} as Session;

test("the header offers the ways back that the session has", async () => {
  const { user, calls } = await renderApp(<OriginalMenu session={session} />);
  await user.click(screen.getByRole("button", { name: "More actions of the session" }));
  await screen.findByRole("menuitem", { name: /Continue in Claude Code/ });
  expect(screen.queryByRole("menuitem", { name: /Reveal source file/ })).toBeNull();
  await user.click(screen.getByRole("menuitem", { name: /Open workspace/ }));
  expect(calls.find(({ name }) => name === "RevealSession")?.args).toEqual(["s1", false]);
});

test("a session in the trash has none", async () => {
  await renderApp(<OriginalMenu session={{ ...session, deletedAtMs: 1 }} />);
  expect(screen.queryByRole("button")).toBeNull();
});
