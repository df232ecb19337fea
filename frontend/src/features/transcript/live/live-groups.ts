import type { LiveBlock } from "@/lib/api/api";

/** Blocks of one kind that stand together. */
interface LiveGroup {
  type: string;
  blocks: LiveBlock[];
}

/** Puts neighbours of the same kind together, as they will be in the message. */
export function groupBlocks(blocks: readonly LiveBlock[]): LiveGroup[] {
  const groups: LiveGroup[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (last?.type === block.type) last.blocks.push(block);
    else groups.push({ type: block.type, blocks: [block] });
  }
  return groups;
}

/** The last line of words in a piece of safe HTML. */
export function lastLine(html: string): string {
  const inert = document.createElement("template");
  inert.innerHTML = html;
  const lines = (inert.content.textContent ?? "").split("\n").map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? "";
}
