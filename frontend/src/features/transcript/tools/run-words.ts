import { formatPlural } from "@/lib/format/format";
import type { Card } from "../path/plan";

const kinds: { test: RegExp; one: string; many: string }[] = [
  { test: /fetch|browse|url|http/i, one: "fetch", many: "fetches" },
  { test: /web.?search/i, one: "web search", many: "web searches" },
  { test: /grep|search|glob|find|ripgrep|\brg\b/i, one: "search", many: "searches" },
  { test: /list|\bls\b|\bdir\b|tree/i, one: "listing", many: "listings" },
  { test: /read|view|open|cat|get|notebook/i, one: "read", many: "reads" },
];

/** What a run of calls did, "7 reads · 3 searches", and to what, each thing once. */
export function describeRun(cards: readonly Card[]): { words: string; targets: string } {
  const counts = new Map<string, { count: number; one: string; many: string }>();
  for (const { block } of cards) {
    const { one, many } = kindOf(block.toolName);
    const counted = counts.get(one) ?? { count: 0, one, many };
    counted.count++;
    counts.set(one, counted);
  }
  const words = [...counts.values()]
    .sort((a, b) => b.count - a.count)
    .map(({ count, one, many }) => formatPlural(count, one, many))
    .join(" · ");
  const targets = [...new Set(cards.map(({ block }) => block.target).filter(Boolean))];
  return { words, targets: targets.slice(0, 12).join(", ") };
}

function kindOf(toolName: string): { one: string; many: string } {
  return kinds.find(({ test }) => test.test(toolName)) ?? { one: "look-up", many: "look-ups" };
}
