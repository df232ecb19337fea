/** What is selected of the messages of a transcript. */
export interface Span {
  text: string;
  /** All of it is within one block of code. */
  isCode: boolean;
  /** The rows it begins and ends in. */
  first: number;
  last: number;
}

/** Reads the selection; undefined where it is empty, or is not of these messages alone. */
export function selectedSpan(scroller: Element): Span | undefined {
  const selection = window.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const first = rowOf(range.startContainer, scroller);
  if (first === undefined) return undefined;
  // A triple click reaches to where the next row begins.
  const last = range.endOffset === 0 ? first : (rowOf(range.endContainer, scroller) ?? first);
  const text = selection.toString();
  if (text.trim() === "") return undefined;
  const block = elementOf(range.startContainer)?.closest("pre");
  const isCode = block?.contains(range.endContainer) === true;
  return { text, isCode, first, last: Math.max(first, last) };
}

function rowOf(node: Node, scroller: Element): number | undefined {
  const row = elementOf(node)?.closest<HTMLElement>("[data-row]");
  return row && scroller.contains(row) ? Number(row.dataset.row) : undefined;
}

function elementOf(node: Node): Element | null {
  return node instanceof Element ? node : node.parentElement;
}
