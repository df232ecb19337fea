import { expect, test } from "vitest";
import type { Prompt, Session } from "@/lib/api/api";
import { noChoice } from "@/lib/session/choice";
import { requestFor } from "./sending";

const session = { id: "s", headUid: "m9" } as Session;
const said = { session, leafUid: "m9", choice: noChoice, text: "Go on", images: [], citations: [] };
const prompt = (parentUid: string): Prompt => ({
  uid: "m4",
  parentUid,
  turn: 2,
  text: "old",
  images: [],
});

test("at the head the session continues by itself", () => {
  const request = requestFor({ ...said, task: { kind: "say" } });
  expect(request).toMatchObject({ sessionId: "s", fromUid: "", root: false, text: "Go on" });
});

test("elsewhere it continues from what is shown", () => {
  const request = requestFor({ ...said, leafUid: "m5", task: { kind: "say" } });
  expect(request.fromUid).toBe("m5");
});

test("a new session has no place to go on from", () => {
  const request = requestFor({ ...said, session: undefined, leafUid: "", task: { kind: "say" } });
  expect(request).toMatchObject({ sessionId: "", fromUid: "", root: false });
});

test("an edited prompt becomes a sibling, and a first one a tree of its own", () => {
  const edit = (parentUid: string) =>
    requestFor({ ...said, task: { kind: "edit", prompt: prompt(parentUid) } });
  expect(edit("m3")).toMatchObject({ fromUid: "m3", root: false, text: "Go on" });
  expect(edit("")).toMatchObject({ fromUid: "", root: true });
});

test("an answer is regenerated from its prompt, whatever is in the field", () => {
  const image = { name: "a", mimeType: "image/png", base64: "" };
  const task = { kind: "regenerate" as const, prompt: prompt("m3") };
  const request = requestFor({ ...said, images: [image], task });
  expect(request).toMatchObject({ fromUid: "m3", text: "", images: [], root: false });
});

test("a prompt cites what it quotes, each message once", () => {
  const citations = [{ uid: "m4", turn: 2 }];
  expect(requestFor({ ...said, citations, task: { kind: "say" } }).cites).toEqual(["m4"]);
  const request = {
    kind: "cite" as const,
    act: "quote" as const,
    sessionId: "s",
    title: "Quoting a passage",
    fromUid: "m3",
    cites: ["m3", "m4"],
    text: "",
  };
  const sent = requestFor({ ...said, citations, task: { kind: "cite", request } });
  expect(sent).toMatchObject({ fromUid: "m3", cites: ["m3", "m4"] });
});
