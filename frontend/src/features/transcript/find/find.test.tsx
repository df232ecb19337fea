import { screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { runCommand } from "@/lib/keys/commands";
import type { ViewLocation } from "@/lib/session/location";
import { renderApp } from "@/testing/render-app";
import { FindBar } from "./find-bar";
import { nearest, useFind } from "./use-find";

const hitAt = (depth: number) => ({
  uid: `m${depth}`,
  depth,
  part: 0,
  snippet: "a plain word",
  markFrom: 2,
  markTo: 7,
});

function Opened({ onView }: { onView: (location: ViewLocation) => void }) {
  const [closed, setClosed] = useState(0);
  const find = useFind({ sessionId: "s", leafUid: "leaf", depth: 5, onView });
  return (
    <>
      <FindBar find={find} length={20} onClose={() => setClosed(closed + 1)} />
      <p>closed {closed}</p>
    </>
  );
}

test("Enter goes through the hits and around their end, Escape closes", async () => {
  const views: ViewLocation[] = [];
  const { bindings, user } = await renderApp(<Opened onView={(view) => views.push(view)} />);
  bindings.FindOnPath = async () => ({
    hits: [1, 7, 9].map(hitAt),
    more: false,
    elsewhere: 3,
  });
  const shown = () => views.map(({ focusUid }) => focusUid);
  await waitFor(() => expect(runCommand("find-in-session")).toBe(true));
  await user.type(await screen.findByRole("searchbox", { name: "Find in session" }), "plain");
  // The first one from the message at the top of the view on.
  await waitFor(() => expect(shown()).toEqual(["m7"]));
  expect(views[0]?.passage).toEqual({ snippet: "a plain word", part: 0, from: 2, to: 7 });
  await screen.findByText("2 of 3");
  screen.getByText("3 more in other branches");
  await user.keyboard("{Enter}{Enter}");
  await screen.findByText("1 of 3");
  await user.keyboard("{Shift>}{Enter}{/Shift}");
  await screen.findByText("3 of 3");
  expect(shown()).toEqual(["m7", "m9", "m1", "m9"]);
  await user.keyboard("{Escape}");
  await screen.findByText("closed 1");
  expect(screen.queryByRole("searchbox")).toBeNull();
});

test("a text that is not found has no hits", async () => {
  const { bindings, user } = await renderApp(<Opened onView={() => {}} />);
  bindings.FindOnPath = async () => ({ hits: [], more: false, elsewhere: 0 });
  await waitFor(() => expect(runCommand("find-in-session")).toBe(true));
  await user.type(await screen.findByRole("searchbox"), "xyz");
  await screen.findByText("No hits");
});

test("the nearest hit is at the message or below it, else the first", () => {
  const hits = [1, 7].map(hitAt);
  expect([0, 1, 2, 7, 8].map((depth) => nearest(hits, depth))).toEqual([0, 0, 1, 1, 0]);
});
