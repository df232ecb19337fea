import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { changeOf } from "@/testing/fake-change";
import { noLive } from "@/testing/fake-run";
import { renderApp } from "@/testing/render-app";
import { useDraftCitations, useDraftText } from "./drafts";
import { connectUnsent } from "./unsent";

let disconnect = () => {};
afterEach(() => disconnect());

function Draft({ of }: { of: string }) {
  const [text, setText] = useDraftText(of);
  const [citations] = useDraftCitations(of);
  return (
    <>
      <textarea aria-label={of} value={text} onChange={({ target }) => setText(target.value)} />
      <output aria-label={`${of} cites`}>{citations.map(({ turn }) => `n${turn}`).join()}</output>
    </>
  );
}

const field = (name: string) => screen.getByLabelText<HTMLTextAreaElement>(name).value;

test("messages that no model received return to the draft, before what is written there", async () => {
  const { bindings, emit, user } = await renderApp(
    <>
      <Draft of="one" />
      <Draft of="two" />
    </>,
  );
  await user.type(screen.getByLabelText("one"), "something new");
  let unsent = [
    { uid: "a", sessionId: "two", text: "left by the last window", cites: ["m7", "gone"] },
  ];
  const storedDrafts: unknown[] = [];
  bindings.SetState = async (_, document) => {
    storedDrafts.push(JSON.parse(document).drafts);
  };
  bindings.GetUnsent = async () => [...unsent];
  bindings.RemoveUnsent = async (uids) => {
    expect(storedDrafts.at(-1)).toMatchObject({ [unsent[0]?.sessionId ?? ""]: expect.anything() });
    unsent = unsent.filter(({ uid }) => !uids.includes(uid));
  };
  bindings.GetPrompt = async (_, uid) => {
    if (uid === "gone") throw { code: "not_found", message: 'no message "gone"' };
    return { uid, parentUid: "", turn: 3, text: "", images: [] };
  };
  disconnect = connectUnsent();
  await vi.waitFor(() => expect(field("two")).toBe("left by the last window"));
  expect(screen.getByLabelText("two cites").textContent).toBe("n3");
  expect(field("one")).toBe("something new");

  unsent = [
    { uid: "b", sessionId: "one", text: "first", cites: [] },
    { uid: "c", sessionId: "one", text: "second", cites: [] },
  ];
  const run = { ...noLive.run, id: "r" };
  bindings.GetRun = async () => ({ ...noLive, sessionId: "one", run, queue: ["first", "second"] });
  act(() => emit("changed", changeOf("run", "one")));
  await vi.waitFor(() => expect(field("one")).toBe("first\n\nsecond\n\nsomething new"));
  expect(screen.getAllByText(/its text is in the field again/)).toHaveLength(2);
  expect(unsent).toEqual([]);
  expect(storedDrafts.at(-1)).toMatchObject({ one: "first\n\nsecond\n\nsomething new" });
});
