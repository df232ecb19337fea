// The digests of turns, as Go makes them, of a session of the fake.

import type {
  MessageView,
  PathHits,
  Phase,
  Turn,
  TurnDigest,
  TurnEffort,
  Work,
} from "@/lib/api/api";
import type { FakeSession } from "./fake-session";

interface Span {
  from: number;
  count: number;
}

function messagesOf(fake: FakeSession, leafUid: string, { from, count }: Span): MessageView[] {
  return fake.window(leafUid, from, count).messages;
}

export function fakePathTurns(fake: FakeSession, leafUid: string) {
  const { messages, length } = fake.window(leafUid, 0, 0);
  const steps: number[] = [];
  const counts: number[] = [];
  let before: number | undefined;
  for (const { turn } of messages) {
    if (turn !== before) {
      steps.push(turn - (before ?? 0));
      counts.push(0);
    }
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    before = turn;
  }
  return { length, steps, counts };
}

export function fakeDigest(fake: FakeSession, leafUid: string, span: Span): TurnDigest {
  const messages = messagesOf(fake, leafUid, span);
  const prompt = messages.find(({ role, kind }) => role === "user" && kind === "message");
  const answer = messages.findLast(({ role }) => role === "assistant");
  const shown = ["prose", "media", "notice"];
  return {
    ...span,
    ...(prompt && { prompt }),
    ...(answer && {
      answer: { ...answer, blocks: answer.blocks.filter(({ type }) => shown.includes(type)) },
    }),
    hasWork: messages.length > 2 || (answer?.blocks.some(({ type }) => type === "tool") ?? false),
  };
}

const edits = ["edit", "edit_file", "write"];
const commands = ["bash"];

function phaseOf(toolName: string, readOnly: boolean): string {
  if (readOnly) return "explored";
  if (edits.includes(toolName.toLowerCase())) return "edited";
  return commands.includes(toolName.toLowerCase()) ? "ran" : "used";
}

function callsOf(messages: readonly MessageView[]) {
  return messages.flatMap(({ blocks }) => blocks.filter(({ type }) => type === "tool"));
}

export function fakeWork(fake: FakeSession, leafUid: string, span: Span): Work {
  const messages = messagesOf(fake, leafUid, span);
  const calls = callsOf(messages);
  const phases: Phase[] = [];
  for (const kind of ["explored", "edited", "ran", "used"]) {
    const own = calls.filter((call) => phaseOf(call.toolName, call.readOnly) === kind);
    if (own.length === 0) continue;
    phases.push({
      kind,
      workedMs: own.reduce((sum, { durationMs }) => sum + durationMs, 0),
      calls: own.length,
      searches: 0,
      failed: own.filter(({ state }) => state === "failed").length,
      items: own.slice(0, 8).map(({ target, added, removed, state }) => ({
        text: target,
        calls: 1,
        failed: state === "failed" ? 1 : 0,
        added,
        removed,
      })),
      omitted: Math.max(0, own.length - 8),
    });
  }
  const sum = (of: "added" | "removed" | "durationMs") =>
    calls.reduce((total, call) => total + call[of], 0);
  const count = (state: string) => calls.filter((call) => call.state === state).length;
  return {
    workedMs: sum("durationMs"),
    steps: messages.filter(({ role }) => role === "assistant").length,
    calls: calls.length,
    files: calls.filter(({ added, removed }) => added + removed > 0).length,
    added: sum("added"),
    removed: sum("removed"),
    failed: count("failed"),
    denied: count("denied"),
    interrupted: count("interrupted"),
    failedMs: 0,
    compactions: 0,
    commits: [],
    phases,
    partial: false,
  };
}

/** How much was done in a turn: as if each of its messages took ten seconds. */
export function fakeEffort({ node, firstDepth, messages, createdAtMs }: Turn): TurnEffort {
  const workedMs = 10_000 * (messages - 1);
  return {
    node,
    firstDepth,
    messages,
    steps: Math.ceil(messages / 2),
    workedMs,
    endedAtMs: createdAtMs + workedMs,
  };
}

export function fakeTurnCalls(
  fake: FakeSession,
  leafUid: string,
  span: Span,
  kind: string,
  limit: number,
) {
  const messages = messagesOf(fake, leafUid, span).flatMap((message) => {
    const blocks = message.blocks.filter(
      ({ type, toolName, readOnly }) => type === "tool" && phaseOf(toolName, readOnly) === kind,
    );
    return blocks.length > 0 ? [{ ...message, blocks }] : [];
  });
  return {
    total: messages.reduce((total, { blocks }) => total + blocks.length, 0),
    messages: messages.slice(0, limit),
  };
}

export function fakeFind(fake: FakeSession, leafUid: string, text: string): PathHits {
  const hits = fake.window(leafUid, 0, 0).messages.flatMap(({ uid, depth, blocks }) => {
    const found = blocks.find((block) => block.text.toLowerCase().includes(text.toLowerCase()));
    if (!found) return [];
    const markFrom = found.text.toLowerCase().indexOf(text.toLowerCase());
    const markTo = markFrom + text.length;
    return [{ uid, depth, part: found.part, snippet: found.text, markFrom, markTo }];
  });
  return { hits, more: false, elsewhere: 3 };
}
