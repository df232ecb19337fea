import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { RunRequest } from "@/lib/api/api";
import { composerOptions } from "@/testing/fake-run";
import { renderApp } from "@/testing/render-app";
import { Composer } from "./composer";

const brings = [
  {
    kind: "setting",
    name: "model",
    detail: "script/evil.json",
    source: ".coppice/config.yaml line 1",
  },
  {
    kind: "server",
    name: "files",
    detail: "touch a\u202eb",
    source: ".coppice/config.yaml line 2",
  },
  { kind: "instructions", name: "AGENTS.md", detail: "", source: "" },
];

async function drawn(answer = "", listed = false) {
  const app = await renderApp(<Composer session={undefined} leafUid="" onStarted={() => {}} />);
  const answers: string[][] = [];
  let given = answer;
  app.bindings.GetComposerOptions = async (_, workspace) => {
    const options = composerOptions(workspace);
    return { ...options, trust: { ...options.trust, answer: given, listed, brings, digest: "d1" } };
  };
  app.bindings.TrustWorkspace = async (...args: string[]) => {
    answers.push(args);
    given = args[2] ?? "";
  };
  return { ...app, answers };
}

test.each([
  ["Trust", "yes"],
  ["Trust until Coppice closes", "once"],
  ["Do not trust", "no"],
])("%s answers for what was shown, and the question goes away", async (button, word) => {
  const { user, answers } = await drawn();
  expect(await screen.findByText(/Do you trust the workspace/)).toBeTruthy();
  const list = screen.getByRole("list");
  expect(list.textContent).toContain("model: script/evil.json");
  expect(list.textContent).toContain("files: touch aU+202Eb");
  expect(list.textContent).toContain("AGENTS.md");
  await user.click(screen.getByRole("button", { name: button }));
  expect(answers).toEqual([["/home/ada/src/shop", "d1", word]]);
  await vi.waitFor(() => expect(screen.queryByText(/Do you trust/)).toBeNull());
});

test.each([
  ["yes", false],
  ["no", false],
  ["", true],
])("answered %j, listed %j: there is no question", async (answer, listed) => {
  const { calls } = await drawn(answer, listed);
  await vi.waitFor(() => expect(calls.map(({ name }) => name)).toContain("GetComposerOptions"));
  expect(screen.queryByText(/Do you trust/)).toBeNull();
});

test("what a run needs the user's word for is asked, and begins when they agree", async () => {
  const { bindings, user } = await drawn("yes");
  const sent: RunRequest[] = [];
  bindings.StartRun = async (request) => {
    sent.push(request);
    if (request.confirmed.length === 0)
      throw { code: "unconfirmed", message: "the session names the workspace /x", hint: "" };
    return { sessionId: "new", runId: "run", problem: "" };
  };
  bindings.ListConfirmations = async () => [
    {
      token: "workspace:/x",
      text: "the session names the workspace /x",
      action: "Work in this folder",
    },
    {
      token: "wide:/x",
      text: "the workspace /x is your home folder",
      action: "Work in this folder",
    },
  ];
  await user.type(screen.getByRole("textbox"), "Go{Enter}");
  expect(await screen.findByText("The session names the workspace /x.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Work in this folder" }));
  await vi.waitFor(() =>
    expect(sent.map(({ confirmed }) => confirmed)).toEqual([[], ["workspace:/x", "wide:/x"]]),
  );
});
