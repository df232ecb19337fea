// Words of a message as a quote of Markdown.

/** Characters that a long quote keeps of its beginning and of its end. */
const keptStart = 900;
const keptEnd = 300;

/** Quotes a text, so that what follows is no part of it; a long one loses its middle. Code keeps its look. */
export function quoteOf(text: string, isCode = false): string {
  const kept = cutMiddle(isCode ? text.replace(/^\n+|\s+$/g, "") : tidy(text));
  if (kept === "") return "";
  const fence = "`".repeat(Math.max(3, longestTicks(kept) + 1));
  const lines = (isCode ? `${fence}\n${kept}\n${fence}` : kept).split("\n");
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

function tidy(text: string): string {
  return text
    .replace(/[^\S\n]+$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Cuts where a line or a word ends, so that what stays can be read. */
function cutMiddle(text: string): string {
  if (text.length <= keptStart + keptEnd) return text;
  const start = text.slice(0, keptStart).replace(/\s+\S*$/, "");
  const end = text.slice(-keptEnd).replace(/^\S*\s+/, "");
  return `${trimPair(start)}\n[…]\n${end.replace(/^[\udc00-\udfff]/, "")}`;
}

/** A character outside of the basic plane is two; half of one is none. */
function trimPair(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/^\s*(`+)/gm)].map(([, ticks]) => ticks?.length ?? 0));
}
