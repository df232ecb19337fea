import { expect, test } from "vitest";
import { composerOptions } from "@/testing/fake-run";
import { isScripted, noChoice, readChoice, requestOf, settle } from "./choice";

const options = composerOptions("/home/ada/shop");

test("what is chosen counts, else what the session would have", () => {
  expect(settle(noChoice, options)).toMatchObject({
    model: "anthropic/claude-sonnet-5",
    agent: "build",
    mode: "confirm-sensitive",
    workspace: "/home/ada/shop",
  });
  const chosen = { ...noChoice, model: "openai/gpt-5.2", mode: "yolo", workspace: "/tmp/x" };
  const settled = settle(chosen, options);
  expect(settled).toMatchObject({ model: "openai/gpt-5.2", mode: "yolo", workspace: "/tmp/x" });
  expect(settled.info?.contextTokens).toBe(400_000);
});

test("another agent brings its mode, and its model where it has one", () => {
  const agents = [...options.agents, { name: "own", description: "", mode: "plan", model: "a/b" }];
  const settled = settle({ ...noChoice, agent: "own" }, { ...options, agents });
  expect(settled).toMatchObject({ model: "a/b", mode: "plan", agent: "own" });
  expect(settle({ ...noChoice, agent: "plan" }, options).model).toBe("anthropic/claude-sonnet-5");
});

test("without options nothing is known, and nothing breaks", () => {
  expect(settle(noChoice, undefined)).toMatchObject({ model: "", agent: "", info: undefined });
});

test("of what was remembered only what has the right type counts", () => {
  expect(readChoice({ model: 3, mode: "plan", maxSteps: "9", color: "red" })).toEqual({
    ...noChoice,
    mode: "plan",
  });
  expect(readChoice(null)).toEqual(noChoice);
});

test("a request without words goes on where the session stopped", () => {
  const request = requestOf("s", { ...noChoice, budgetUsd: "0.5", review: true });
  expect(request).toMatchObject({
    sessionId: "s",
    text: "",
    fromUid: "",
    root: false,
    budgetUsd: "0.5",
    review: true,
  });
});

test("scripts and recordings are told from models", () => {
  expect(isScripted("script/demo")).toBe(true);
  expect(isScripted("replay/0193")).toBe(true);
  expect(isScripted("openai/script")).toBe(false);
});
