import { formatPlural } from "@/lib/format/format";
import type { Card } from "../path/plan";

type Words = (count: number) => string;

const kinds: { test: RegExp; words: Words }[] = [
  { test: /fetch|browse|url|http/i, words: (count) => formatPlural(count, "fetch", "fetches") },
  { test: /web.?search/i, words: (count) => formatPlural(count, "web search", "web searches") },
  {
    test: /grep|search|glob|find|ripgrep|\brg\b/i,
    words: (count) => formatPlural(count, "search", "searches"),
  },
  { test: /list|\bls\b|\bdir\b|tree/i, words: (count) => formatPlural(count, "listing") },
  { test: /read|view|open|cat|get|notebook/i, words: (count) => formatPlural(count, "read") },
];
const others: Words = (count) => formatPlural(count, "look-up");

/** What a run of calls did, "7 reads · 3 searches", and to what, each thing once. */
export function describeRun(cards: readonly Card[]): { words: string; targets: string } {
  const counts = new Map<Words, number>();
  for (const { block } of cards) {
    const kind = wordsOf(block.toolName);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const words = [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => kind(count))
    .join(" · ");
  const targets = [...new Set(cards.map(({ block }) => block.target).filter(Boolean))];
  return { words, targets: targets.slice(0, 12).join(", ") };
}

function wordsOf(toolName: string): Words {
  return kinds.find(({ test }) => test.test(toolName))?.words ?? others;
}
