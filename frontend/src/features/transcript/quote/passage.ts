import type { Passage } from "@/lib/session/location";

/** So much of a message is looked through. */
const lookedThrough = 2_000_000;
/** So many letters beside what was found tell its place from others like it. */
const beside = 24;

/**
 * The position of a passage in what is drawn; undefined if it is not drawn, such as in a fold. Loosely, the first of what was
 * looked for is taken where it has other neighbours: what is drawn may lack signs such as those of Markdown.
 */
export function findPassage(
  element: Element,
  { snippet, from, to }: Passage,
  loosely: boolean,
): Range | undefined {
  const found = spaced(snippet.slice(from, to));
  if (found === "") return undefined;
  const before = spaced(snippet.slice(Math.max(0, from - beside), from).replace(/^…/, ""));
  const after = spaced(snippet.slice(to, to + beside).replace(/…$/, ""));
  const { nodes, text } = textOf(element);
  const exact = `${found}(?=${after})(?<=${before}${found})`;
  for (const pattern of loosely ? [exact, found] : [exact]) {
    const match = new RegExp(pattern, "i").exec(text);
    if (match) return rangeOf(nodes, match.index, match.index + match[0].length);
  }
  return undefined;
}

/** A text as an expression, with any space, or none, where it has some. */
function spaced(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s*");
}

function textOf(element: Element): { nodes: Text[]; text: string } {
  const nodes: Text[] = [];
  let text = "";
  const walker = document.createTreeWalker(
    element,
    NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT,
    // The line of what is folded, cut off somewhere.
    (node) => (node.nodeName === "BUTTON" ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  );
  while (text.length < lookedThrough && walker.nextNode()) {
    const node = walker.currentNode;
    if (!(node instanceof Text)) continue;
    nodes.push(node);
    text += node.data;
  }
  return { nodes, text };
}

function rangeOf(nodes: readonly Text[], from: number, to: number): Range {
  const range = document.createRange();
  let at = 0;
  for (const node of nodes) {
    const end = at + node.data.length;
    if (from >= at && from < end) range.setStart(node, from - at);
    if (to > at && to <= end) {
      range.setEnd(node, to - at);
      break;
    }
    at = end;
  }
  return range;
}
