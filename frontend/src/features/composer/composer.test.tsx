import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { RunRequest } from "@/lib/api/api";
import { renderApp } from "@/testing/render-app";
import { Composer } from "./composer";

test("what is said before it is known which models there are is sent", async () => {
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
