import { afterEach, expect, test } from "vitest";
import { cyclePanes, focusPane } from "./pane-focus";

afterEach(() => document.body.replaceChildren());

function panes(...names: string[]) {
  const inside: Record<string, string> = {
    library: '<input><div role="listbox" tabindex="0" data-pane-focus></div>',
    transcript: "<p>nothing that takes the focus</p>",
    tree: '<button type="button">Outline</button><div role="treegrid"><div role="row" tabindex="0"></div></div>',
  };
  document.body.innerHTML = names
    .map((name) => `<section data-pane="${name}" tabindex="-1">${inside[name]}</section>`)
    .join("");
}

const focused = () =>
  document.activeElement?.closest("[data-pane]")?.getAttribute("data-pane") ?? "none";

test("F6 goes round the panes that are there, both ways", () => {
  panes("library", "transcript", "tree");
  const forth = [1, 2, 3, 4].map(() => {
    cyclePanes(1);
    return focused();
  });
  expect(forth).toEqual(["library", "transcript", "tree", "library"]);
  cyclePanes(-1);
  expect(focused()).toBe("tree");
});

test("a pane that is not on screen is passed over", () => {
  panes("library", "transcript");
  focusPane("transcript");
  cyclePanes(1);
  expect(focused()).toBe("library");
  expect(focusPane("tree")).toBe(false);
});

test("the list takes the focus rather than the field above it", () => {
  panes("library");
  focusPane("library");
  expect(document.activeElement?.getAttribute("role")).toBe("listbox");
});

test("where the grid itself takes no focus, its row does; where nothing does, the pane", () => {
  panes("transcript");
  focusPane("transcript");
  expect(document.activeElement?.getAttribute("data-pane")).toBe("transcript");
});
