// A session of an agent of any size, the same for the same seed, as a file that `coppice import` reads. Those of other shapes, and
// the largest ones, app/bench makes.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

const startMs = 1_790_000_000_000;

/** Writes long chains with tools and a chance of 2 % to go back about 30 messages; the title says the size. */
export async function writeSession(path: string, count: number, seed = 1): Promise<void> {
  const file = createWriteStream(path);
  const next = random(seed);
  const parents = new Int32Array(count);
  const depths = new Int32Array(count);
  const title = `agent of ${count}`;
  const session = { sourceId: title, title, headUid: uid(count - 1), createdAtMs: startMs };
  file.write(`{"format":"coppice.session","version":1,"session":${JSON.stringify(session)},`);
  file.write('"messages":[\n');
  for (let at = 0; at < count; at++) {
    const parent = at === 0 ? -1 : pickParent(at, parents, next);
    parents[at] = parent;
    depths[at] = parent < 0 ? 0 : (depths[parent] ?? 0) + 1;
    const line = JSON.stringify(message(at, parent, depths[at] ?? 0));
    if (!file.write(at === count - 1 ? line : `${line},\n`)) await once(file, "drain");
  }
  file.end("\n]}\n");
  await finished(file);
}

function pickParent(at: number, parents: Int32Array, next: (below: number) => number): number {
  let parent = at - 1;
  if (next(100) >= 2) return parent;
  for (let steps = 1 + next(60); steps > 0 && (parents[parent] ?? -1) >= 0; steps--)
    parent = parents[parent] ?? 0;
  return parent;
}

function uid(at: number): string {
  return at < 0 ? "" : `agent-${String(at).padStart(8, "0")}`;
}

/** So many messages an agent's turn has: a prompt, calls with their results, an answer. */
const agentTurn = 12;

function message(at: number, parent: number, depth: number) {
  const place = depth % agentTurn;
  const words = sentences[(at * 7 + depth) % sentences.length];
  const common = {
    uid: uid(at),
    parentUid: uid(parent),
    kind: "message",
    createdAtMs: startMs + at * 20_000,
  };
  if (place === 0)
    return { ...common, role: "user", parts: [{ type: "text", text: `${words} (${at})` }] };
  if (place % 2 === 0) {
    const result = [{ type: "text", text: `${at} lines were read` }];
    const part = { type: "tool_result", id: `c${parent}`, name: "read_file", result };
    return { ...common, role: "tool", parts: [part] };
  }
  const call = {
    type: "tool_call",
    id: `c${at}`,
    name: "read_file",
    arguments: { path: `src/part-${at}.go` },
  };
  const says = { type: "text", text: `That is answer ${at}. ${words}` };
  return {
    ...common,
    role: "assistant",
    model: "demo/large",
    parts: place === agentTurn - 1 ? [says] : [says, call],
    usage: { inputTokens: 900 + depth, outputTokens: 120 },
    costNanoUsd: 1_000_000 + (at % 1000) * 1000,
  };
}

const sentences = [
  "Map the module first, then tell me what is risky",
  "What are the options?",
  "Go with the second one, but keep the old API for a release",
  "The test fails on Windows, look at the path separator",
  "Write the migration",
  "Why is this slower than before? Measure, do not guess",
  "Undo that, and try it with a table instead",
  "Explain the lock order in one paragraph",
  "Run the benchmarks again with 10,000 rows",
  "Split the file, one noun each",
  "Does this also work when the disk is full?",
  "Write the release notes",
];

function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
