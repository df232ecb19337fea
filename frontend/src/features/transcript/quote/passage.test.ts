import { expect, test } from "vitest";
import { findPassage } from "./passage";

/** What is found of a snippet with its marked words in brackets. */
function found(html: string, marked: string, loosely = true) {
  const element = document.createElement("div");
  element.innerHTML = html;
  const from = marked.indexOf("[");
  const to = marked.indexOf("]") - 1;
  const range = findPassage(
    element,
    { snippet: marked.replace(/[[\]]/g, ""), part: 0, from, to },
    loosely,
  );
  if (!range) return undefined;
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(range.startContainer, range.startOffset);
  return { text: range.toString(), at: before.toString().length };
}

test("a passage is found where its neighbours are, across lines and marks of the page", () => {
  expect(found("<p>oak</p><p>an oak\n  tree</p>", "…an [oak] tree…")).toEqual({
    text: "oak",
    at: 6,
  });
  expect(found("<p>a <b>red</b> oak</p>", "a [red oak]")).toEqual({ text: "red oak", at: 2 });
});

test("without its neighbours the first like it is meant", () => {
  expect(found("<p>An <b>Oak</b></p>", "**[oak]** grows")).toEqual({ text: "Oak", at: 3 });
  expect(found("<p>An <b>Oak</b></p>", "**[oak]** grows", false)).toBeUndefined();
  expect(found("<p>a (b</p>", "[(b]")).toEqual({ text: "(b", at: 2 });
});

test("what is not drawn is not found", () => {
  expect(found("<p>elm</p>", "[oak]")).toBeUndefined();
  expect(found("<button>an oak</button><p>elm</p>", "[oak]")).toBeUndefined();
  expect(found("<p>elm</p>", "elm[]")).toBeUndefined();
});
