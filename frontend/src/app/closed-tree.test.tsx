import { act, render } from "@testing-library/react";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import type { Session } from "@/lib/api/api";
import { listCommands, runCommand, useCommand } from "@/lib/keys/commands";
import { ClosedTree } from "./closed-tree";

const session = { id: "one", hiddenCount: 0 } as Session;

function Window({ ready, onBookmark }: { ready: boolean; onBookmark: () => void }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ClosedTree session={session} isOpen={isOpen} onOpen={() => setOpen(true)} />
      {isOpen && <Tree ready={ready} onBookmark={onBookmark} />}
    </>
  );
}

function Tree({ ready, onBookmark }: { ready: boolean; onBookmark: () => void }) {
  useCommand("bookmark", onBookmark, { enabled: ready });
  return null;
}

test("what the tree does is offered while it is closed, opens it and is done once it can be", () => {
  const run = vi.fn();
  const { rerender } = render(<Window ready={false} onBookmark={run} />);
  act(() => void runCommand("bookmark"));
  expect(run).not.toHaveBeenCalled();
  rerender(<Window ready onBookmark={run} />);
  expect(run).toHaveBeenCalledOnce();
  rerender(<Window ready={false} onBookmark={run} />);
  rerender(<Window ready onBookmark={run} />);
  expect(run).toHaveBeenCalledOnce();
});

test("what was asked for is not done any more after something else was", () => {
  const run = vi.fn();
  const { rerender } = render(<Window ready={false} onBookmark={run} />);
  act(() => void runCommand("bookmark"));
  act(() => void window.dispatchEvent(new KeyboardEvent("keydown", { key: "a" })));
  rerender(<Window ready onBookmark={run} />);
  expect(run).not.toHaveBeenCalled();
});

test("what needs a trash is offered where there is one", () => {
  render(<Window ready={false} onBookmark={() => {}} />);
  const names = listCommands().map(({ name }) => name);
  expect(names).toContain("trash-turns");
  expect(names).toContain("list-labelled");
  expect(names).toContain("zoom-to-fit");
  expect(names).not.toContain("empty-tree-trash");
});
