// What can be exported of a session of the fake.

import type { ExportParts, Redacted } from "@/lib/api/api";
import type { FakeSession } from "./fake-session";

export function fakeExportParts(fake: FakeSession, leafUid: string): ExportParts {
  const { turns } = fake.tree();
  const path = fake.window(leafUid, 0, 0);
  const end = path.messages.at(-1);
  const last = turns[end?.turn ?? -1];
  const branches = [...new Set(turns.map(({ branch }) => branch))].flatMap((branch) => {
    const own = turns.filter((turn) => turn.branch === branch);
    const [first, tip] = [own[0], own.at(-1)];
    if (!first || !tip) return [];
    const { lastUid, cumulative } = tip;
    const title = first.label || first.preview;
    const onPath = branch === end?.branch;
    return [{ leafUid: lastUid, node: first.node, title, messages: cumulative, onPath }];
  });
  const onPath = new Set(path.messages.map(({ turn }) => turn));
  return {
    pathMessages: path.length,
    turnNode: last?.node ?? -1,
    turnMessages: last?.messages ?? 0,
    turns: turns
      .filter(({ node }) => onPath.has(node))
      .map(({ lastUid, node, label, preview, messages }) => ({
        uid: lastUid,
        node,
        title: label || preview,
        messages,
      })),
    branches,
    branchCount: branches.length,
  };
}

/** Returns an address that the rules know, and the user's words. */
export function fakeRedacted(words: readonly string[]): Redacted[] {
  const place = { before: "ask ", after: " about it" };
  return [
    { id: "e1", kind: "email", value: "ann@example.org", count: 3, places: [place, place, place] },
    ...words.map((value, index) => ({
      id: `w${index}`,
      kind: "word",
      value,
      count: 1,
      places: [place],
    })),
  ];
}
