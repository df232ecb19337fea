import { act, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { connectEvents, type LiveRun } from "@/lib/api/api";
import { installFake } from "@/testing/fake-api";
import { changeOf } from "@/testing/fake-change";
import { noLive } from "@/testing/fake-run";
import { currentDraft } from "./live";
import { connectRuns, useLive, useStanding } from "./runs";

let disconnect = () => {};
afterEach(() => disconnect());

const fake = installFake({ sessions: 1 });
let state: LiveRun;
let asked: [string, number, number][];

beforeEach(() => {
  connectEvents();
  disconnect = connectRuns();
  asked = [];
  state = { ...noLive, sessionId: "s", running: true, run: { ...noLive.run, id: "r" }, draftId: 1 };
  fake.bindings.GetRun = async (id, _, draft, revision) => {
    asked.push([id, draft, revision]);
    return state;
  };
});

function Shown({ id }: { id: string }) {
  const live = useLive(id);
  const html =
    live &&
    currentDraft(live)
      ?.blocks.map((block) => block.html)
      .join("");
  return <output>{live ? `${html}` : "none"}</output>;
}

function Listed({ id }: { id: string }) {
  return <output>{useStanding(id) ?? "still"}</output>;
}

const say = (html: string) => {
  state.revision++;
  state.blocks = [
    { index: 0, revision: state.revision, type: "prose", html, text: "", toolName: "" },
  ];
};
const text = () => screen.getByRole("status").textContent;
const changed = () => act(() => fake.emit("changed", changeOf("run", "s")));

test("a run is asked for when it is looked at, and told which part is known", async () => {
  say("first");
  render(<Shown id="s" />);
  await waitFor(() => expect(text()).toBe("first"));
  say("second");
  changed();
  await waitFor(() => expect(text()).toBe("second"));
  expect(asked).toEqual([
    ["s", 0, 0],
    ["s", 1, 1],
  ]);
});

test("any number of changes in a frame is one question", async () => {
  render(<Shown id="s" />);
  await waitFor(() => expect(asked).toHaveLength(1));
  say("all of it");
  for (let times = 0; times < 50; times++) changed();
  await waitFor(() => expect(text()).toBe("all of it"));
  await new Promise((wake) => setTimeout(wake, 60));
  // One for what had arrived, and one for what may have arrived meanwhile.
  expect(asked.length).toBeLessThanOrEqual(3);
});

test("a change while an answer is under way is asked for after it", async () => {
  render(<Shown id="s" />);
  await waitFor(() => expect(asked).toHaveLength(1));
  let release = () => {};
  fake.bindings.GetRun = vi.fn(async () => {
    await new Promise<void>((go) => {
      release = go;
    });
    return structuredClone(state);
  });
  say("half");
  changed();
  await waitFor(() => expect(fake.bindings.GetRun).toHaveBeenCalledTimes(1));
  release();
  say("whole");
  changed();
  await waitFor(() => expect(fake.bindings.GetRun).toHaveBeenCalledTimes(2));
  release();
  await waitFor(() => expect(text()).toBe("whole"));
});

test("a failed question is not the end: the next change asks again", async () => {
  render(<Shown id="s" />);
  await waitFor(() => expect(asked).toHaveLength(1));
  const { GetRun } = fake.bindings;
  fake.bindings.GetRun = async () => {
    throw new Error("busy");
  };
  changed();
  await new Promise((wake) => setTimeout(wake, 50));
  fake.bindings.GetRun = GetRun;
  say("there");
  changed();
  await waitFor(() => expect(text()).toBe("there"));
});

test("lists hear of a run that nobody looks at: that it runs, waits, and has ended", async () => {
  render(<Listed id="s" />);
  expect(text()).toBe("still");
  changed();
  await waitFor(() => expect(text()).toBe("running"));
  const question = { id: 1, kind: "permit", callId: "", toolName: "", title: "" };
  state.questions = [
    { ...question, preview: "", risk: "", targets: [], wider: [], inWorkspace: false, sandbox: "" },
  ];
  changed();
  await waitFor(() => expect(text()).toBe("waiting"));
  state = { ...state, running: false, questions: [] };
  changed();
  await waitFor(() => expect(text()).toBe("still"));
});
