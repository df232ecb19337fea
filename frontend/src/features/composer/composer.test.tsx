import { QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { Tooltip } from "radix-ui";
import { expect, test, vi } from "vitest";
import { api, type RunRequest } from "@/lib/api/api";
import { createQueryClient } from "@/lib/api/query";
import { runCommand } from "@/lib/keys/commands";
import { compose } from "@/lib/store/compose";
import { changeWindowState } from "@/lib/store/window-state";
import { installFake } from "@/testing/fake-api";
import { renderApp } from "@/testing/render-app";
import { Composer } from "./composer";

test("a prompt is sent before the models are known", async () => {
  const sent: RunRequest[] = [];
  const onStarted = vi.fn();
  const { bindings, calls, user } = await renderApp(
    <Composer session={undefined} leafUid="" onStarted={onStarted} />,
  );
  bindings.GetComposerOptions = () => new Promise(() => {});
  bindings.StartRun = async (request) => {
    sent.push(request);
    return { sessionId: "new", runId: "run", problem: "" };
  };
  await vi.waitFor(() => expect(calls.map(({ name }) => name)).toContain("GetComposerOptions"));
  await user.type(screen.getByRole("textbox"), "Which woods are there?{Enter}");
  await vi.waitFor(() => expect(onStarted).toHaveBeenCalledWith("new", ""));
  expect(sent.map(({ text, model }) => [text, model])).toEqual([["Which woods are there?", ""]]);
});

test("a command is completed, described and sent", async () => {
  const sent: string[] = [];
  const { bindings, user } = await renderApp(
    <Composer session={undefined} leafUid="" onStarted={vi.fn()} />,
  );
  bindings.StartRun = async (request) => {
    sent.push(request.text);
    return { sessionId: "new", runId: "run", problem: "" };
  };
  const field = screen.getByRole<HTMLTextAreaElement>("textbox");
  await user.type(field, "/");
  const options = await screen.findAllByRole("option");
  expect(options.map(({ textContent }) => textContent)).toEqual([
    "/explain FILEExplains a file",
    "/review Looks for defects in the last commit",
  ]);
  await user.keyboard("{ArrowDown}{Tab}");
  expect(field.value).toBe("/review ");
  expect(screen.queryByRole("listbox")).toBeNull();
  await user.type(field, "now{Enter}");
  await vi.waitFor(() => expect(sent).toEqual(["/review now"]));
});

test("compacting the context sends no message and keeps the draft", async () => {
  const id = "01930001-fake-7000-8000-000000000001";
  const asked: RunRequest[] = [];
  installFake({ sessions: 20 });
  const session = await api.getSession(id);
  const { bindings, user } = await renderApp(
    <Composer session={session} leafUid={session.headUid} onStarted={vi.fn()} />,
    { sessions: 20 },
  );
  bindings.CompactContext = async (request) => {
    asked.push(request);
    return "context compacted: 61 → 12 messages";
  };
  await user.type(screen.getByRole("textbox"), "a draft");
  expect(runCommand("compact-context")).toBe(true);
  await user.type(await screen.findByRole("textbox", { name: "Focus" }), " the schema{Enter}");
  await screen.findByText("Context compacted: 61 → 12 messages");
  expect(asked.map(({ sessionId, text, focus }) => [sessionId, text, focus])).toEqual([
    [id, "", "the schema"],
  ]);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("a draft");
  bindings.CompactContext = async () => {
    throw { code: "conflict", message: "nothing to compact", remedy: "" };
  };
  expect(runCommand("compact-context")).toBe(true);
  await user.click(await screen.findByRole("button", { name: "Compact" }));
  await screen.findByText(/nothing to compact/);
});

test.each([
  ["anthropic/claude-sonnet-5", false],
  ["ollama/qwen3-coder:30b", true],
])("answering a prompt again with %s starts at once: %j", async (model, atOnce) => {
  const id = "01930001-fake-7000-8000-000000000001";
  installFake({ sessions: 20 });
  const session = await api.getSession(id);
  const { bindings, calls, user } = await renderApp(
    <Composer session={session} leafUid={session.headUid} onStarted={vi.fn()} />,
    { sessions: 20 },
  );
  const options = await bindings.GetComposerOptions("", "");
  bindings.GetComposerOptions = async () => ({ ...options, model });
  const started = () => calls.some(({ name }) => name === "StartRun");
  await vi.waitFor(() => expect(calls.map(({ name }) => name)).toContain("GetComposerOptions"));
  await screen.findByRole("button", { name: new RegExp(model.split("/")[1] ?? "") });
  await compose({ kind: "regenerate", sessionId: id, uid: session.headUid });
  if (!atOnce) {
    await screen.findByText(/^Answering this prompt again: send to start/);
    expect(started()).toBe(false);
    await user.click(screen.getByRole("button", { name: "Send" }));
  }
  await vi.waitFor(() => expect(started()).toBe(true));
});

test("a session without a model is only read until something is written", async () => {
  const id = "01930001-fake-7000-8000-000000000001";
  installFake({ sessions: 20 });
  const session = await api.getSession(id);
  const { bindings, user } = await renderApp(
    <Composer session={session} leafUid={session.headUid} onStarted={vi.fn()} />,
    { sessions: 20 },
  );
  const options = await bindings.GetComposerOptions("", "");
  bindings.GetComposerOptions = async () => ({ ...options, model: "", models: [] });
  await screen.findByText("Read only");
  expect(screen.queryByRole("textbox")).toBeNull();
  screen.getByRole("button", { name: "Add a model" });
  expect(runCommand("focus-composer")).toBe(true);
  const field = await screen.findByRole("textbox");
  expect(document.activeElement).toBe(field);
  await user.type(field, "a draft");
  expect(screen.queryByText("Read only")).toBeNull();
});

test("until the models are known a session has the line or the field that it had last time", async () => {
  const id = "01930001-fake-7000-8000-000000000001";
  installFake({ sessions: 20 });
  const session = await api.getSession(id);
  const draw = async (hasNoModel: boolean) => {
    const { bindings } = await renderApp(null, { sessions: 20 });
    bindings.GetComposerOptions = () => new Promise(() => {});
    changeWindowState("hasNoModel", false, () => hasNoModel);
    return render(
      <QueryClientProvider client={createQueryClient()}>
        <Tooltip.Provider>
          <Composer session={session} leafUid={session.headUid} onStarted={vi.fn()} />
        </Tooltip.Provider>
      </QueryClientProvider>,
    );
  };
  const former = await draw(true);
  screen.getByText("Read only");
  former.unmount();
  await draw(false);
  screen.getByRole("textbox", { name: "Message" });
});
