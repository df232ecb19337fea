// What is said in the fake's sessions.

import type { Session } from "@/lib/api/api";
import { block, prose, reasoning, tool } from "./fake-blocks";
import type { FakeSession } from "./fake-session";

const titles = [
  "Migrate the session store to SQLite",
  "Refactor the auth module",
  "Why does the watcher miss renames on macOS?",
  "Compare three cache eviction designs",
  "Trip to Lisbon, rainy-day variants",
  "Flaky test in importer: clock or order?",
  "Write release notes for 0.4 from the log",
  "Profile the tree layout at 100k nodes",
  "Review: path confinement with os.Root",
  "Explain the borrow checker with a library metaphor",
  "Make the settings page keyboard accessible",
  "Draft a polite answer to the landlord",
  "A very long title that someone pasted from an issue tracker, with its number #48213, its component [scheduler/backfill] and the whole first paragraph of the report, because the tool it came from takes the first line of the prompt as the title and never cuts it",
  "x",
  "مراجعة وحدة المصادقة",
  "把会话存储迁移到数据库",
  "Bisect the slow startup",
  "Regex for ISO week dates",
  "Plan the garden for a north-facing balcony",
  "Port the CLI tests to testscript",
];

const sources = [
  "claude_code",
  "claude_code",
  "codex",
  "gemini_cli",
  "opencode",
  "pi",
  "chatgpt",
  "coppice",
];
const statuses = [
  "idle",
  "success",
  "success",
  "success",
  "interrupted",
  "failed",
  "partial",
  "running",
  "hibernated",
];
const models = [
  "claude-sonnet-5",
  "claude-opus-4-8",
  "gpt-6-codex",
  "gemini-3-pro",
  "qwen3-coder:30b",
];
const workspaces = ["/home/ada/src/coppice", "/home/ada/src/auth-service", "/home/ada/notes", ""];

const hour = 3_600_000;

/** A small generator of the same numbers every time. */
export function random(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 3266489917) >>> 0;
    return state % below;
  };
}

function pick<T>(from: readonly T[], index: number): T {
  return from[index % from.length] as T;
}

/** The session number `index`, the newest first, before it has messages. */
export function makeSession(index: number, nowMs: number): Session {
  const next = random(index + 1);
  const updatedAtMs = nowMs - Math.floor(index * 1.7 * hour * (0.6 + index / 90)) - next(hour / 2);
  const turns = 1 + next(24);
  const unknownCost = next(4) === 0;
  return {
    id: `0193${String(index).padStart(4, "0")}-fake-7000-8000-00000000${String(index).padStart(4, "0")}`,
    name: "",
    title: index < titles.length ? pick(titles, index) : `${pick(titles, next(12))} (${index})`,
    task: pick(titles, next(12)),
    source: index === 1 ? "claude_code" : pick(sources, next(sources.length)),
    sourceId: `source-${index}`,
    sourcePath: `/home/ada/.claude/projects/demo/${index}.jsonl`,
    status: index === 1 ? "interrupted" : index === 0 ? "running" : pick(statuses, next(7)),
    stopReason: "",
    agent: "",
    model: pick(models, next(models.length)),
    workspacePath: pick(workspaces, next(workspaces.length)),
    filesModified: index === 1 ? ["backend/auth/session.go", "backend/auth/token.go"] : [],
    parentId: "",
    parentUid: "",
    relation: "",
    headUid: "",
    messageCount: turns * 4,
    unpricedCalls: 0,
    branchCount: 1 + (next(3) === 0 ? next(9) : 0),
    turnCount: turns,
    stepCount: turns * 2,
    inputTokens: turns * 1800,
    outputTokens: turns * 420,
    cacheReadTokens: turns * 900,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...(!unknownCost && { costNanoUsd: turns * 14_300_000 }),
    pinnedAtMs: index === 5 || index === 9 ? nowMs : 0,
    archivedAtMs: index % 31 === 30 ? nowMs : 0,
    deletedAtMs: index % 47 === 46 ? nowMs : 0,
    createdAtMs: updatedAtMs - turns * 100_000,
    updatedAtMs,
  };
}

const questions = [
  "Map the module first, then tell me what is risky.",
  "What are the options?",
  "Go with the second one, but keep the old API for a release.",
  "The test fails on Windows, look at the path separator.",
  "Write the migration and show me the diff before you run anything.",
  "Summarise what we decided.",
];

const answers = [
  "The module has three entry points. The risky one is `Revoke`, because it writes two tables without a transaction.\n\nI would start there and leave the readers as they are.",
  "There are two. A table makes each token revocable and lets us list a person's devices. Signed cookies need no table, but nothing can be taken back before it expires.",
  "Done. All 31 tests pass. One decision is yours: should revoking a device also end its running requests?",
  "The separator was joined by hand in `walk.go`. With `filepath.Join` the test passes on all three systems.",
];

/** Fills an ordinary session: so many turns, now and then a branch. */
export function fillOrdinary(fake: FakeSession, seed: number, turns: number): void {
  const next = random(seed + 77);
  let at = "";
  const prompts: string[] = [];
  for (let turn = 0; turn < turns; turn++) {
    if (prompts.length > 2 && next(9) === 0) at = pick(prompts, next(prompts.length));
    at = fake.append(at, {
      role: "user",
      blocks: [prose(pick(questions, turn === 0 ? 0 : next(questions.length)))],
    });
    at = fake.append(at, {
      role: "assistant",
      blocks: [
        ...(next(3) === 0
          ? [
              reasoning(
                "Revocation needs a row per token, so the lookup key must be indexed. The sweep can run hourly.",
              ),
            ]
          : []),
        tool("read_file", `backend/auth/file_${next(20)}.go`, { durationMs: 40 }),
        tool("grep", "func.*Revoke", { durationMs: 120 }),
      ],
      inputTokens: 1800,
      outputTokens: 120,
      costNanoUsd: 5_400_000,
    });
    at = fake.append(at, { role: "tool", blocks: [], hidden: true });
    at = fake.append(at, {
      role: "assistant",
      blocks: [prose(pick(answers, next(answers.length)))],
      inputTokens: 2100,
      outputTokens: 300 + next(900),
      costNanoUsd: 8_900_000,
    });
    prompts.push(at);
  }
}

/** Fills the session that the pictures show: five branches, labels, tool calls with diffs, an image, a compaction. */
export function fillBranched(fake: FakeSession): void {
  const say = (at: string, text: string) =>
    fake.append(at, { role: "user", blocks: [prose(text)] });
  const answer = (at: string, text: string, ...before: ReturnType<typeof tool>[]) =>
    fake.append(at, {
      role: "assistant",
      blocks: [...before, prose(text)],
      inputTokens: 18_430,
      outputTokens: 1204,
      costNanoUsd: 12_400_000,
    });
  let at = fake.append("", {
    role: "user",
    kind: "meta",
    blocks: [
      block({
        type: "meta",
        text: "Project instructions: AGENTS.md",
        html: "<p>Use small files.</p>",
        chars: 420,
        lines: 12,
      }),
    ],
  });
  at = say(at, "Map the auth module first");
  at = answer(
    at,
    "Three packages: `session`, `token` and `device`. Sessions are signed cookies today.",
    tool("list_dir", "backend/auth", { durationMs: 20 }),
    tool("read_file", "backend/auth/session.go"),
    tool("read_file", "backend/auth/token.go"),
  );
  for (const text of [
    "Which tests cover it?",
    "Who calls Revoke?",
    "What does the old mobile app expect?",
    "Show the cookie layout",
  ]) {
    at = say(at, text);
    at = answer(
      at,
      "Here is what I found; the short version is that the tests cover the readers, not the writers.",
      tool("grep", text.slice(0, 12)),
      tool("read_file", "backend/auth/cookie.go"),
    );
  }
  at = fake.append(at, {
    role: "user",
    kind: "compaction",
    compaction: {
      ...{ strategy: "llm", firstKept: at, focus: "" },
      ...{ coveredMessages: 10, messagesBefore: 12, messagesAfter: 3 },
      ...{ tokensBefore: 48_200, tokensAfter: 6_100 },
    },
    blocks: [
      block({
        type: "summary",
        text: "61 messages summarised",
        html: "<p>The auth module was mapped; cookies are signed with one key.</p>",
        chars: 1240,
        lines: 18,
      }),
    ],
  });
  at = say(at, "What are the options?");
  const options = answer(
    at,
    "Sign cookies with rotating keys, keep the sessions in a table, or issue JWTs with a short life.",
  );
  fake.label(at, "plan");

  at = say(options, "Sign cookies with rotating keys");
  for (let step = 0; step < 6; step++) {
    at = answer(
      at,
      `Step ${step + 1} of the rotation is in place.`,
      tool("edit_file", "backend/auth/rotate.go", { added: 14 + step, removed: step }),
    );
    at = say(at, `Continue with step ${step + 2}`);
  }
  at = answer(at, "It works, but rotation breaks the old mobile apps.");
  at = say(at, "Rotation breaks old mobile apps");
  answer(
    at,
    "Yes: they pin the first key. This is a dead end.",
    tool("run_command", "go test ./backend/auth/...", { state: "failed", durationMs: 4200 }),
  );
  fake.label(at, "dead end");

  at = say(
    options,
    "Keep the sessions in a table instead of signed cookies. Tokens must be revocable one by one.",
  );
  fake.label(at, "keep sessions in a table");
  at = fake.append(at, {
    role: "assistant",
    inputTokens: 18_430,
    outputTokens: 1204,
    costNanoUsd: 12_400_000,
    blocks: [
      reasoning(
        "Revocation needs a row per token, so the lookup key must be a hash of it. The sweep can run every hour without a lock.",
      ),
      prose(
        "A table makes each token revocable and lets us list a person's devices. I will store only a hash of the token, with `expires_at_ms` indexed for the sweep.",
      ),
      tool("read_file", "backend/auth/session.go", { durationMs: 40 }),
      tool("read_file", "backend/auth/token.go", { durationMs: 30 }),
      tool("grep", "Revoke\\(", { durationMs: 30 }),
      tool("edit_file", "backend/auth/session.go", { added: 12, removed: 4, durationMs: 300 }),
      tool("run_command", "rm -rf ./old", { state: "denied", durationMs: 0 }),
      tool("run_command", "go test ./backend/auth/...", { durationMs: 4200 }),
      tool("screenshot", "login page", { durationMs: 900 }),
      tool("task", "Find every caller of the cookie API", {
        durationMs: 61_000,
        childId: "child-of-auth",
      }),
    ],
  });
  at = fake.append(at, {
    role: "tool",
    blocks: [
      block({
        type: "media",
        mimeType: "image/png",
        name: "login.png",
        blob: "sha256:fake-image",
        width: 640,
        height: 360,
        sizeBytes: 48_000,
      }),
    ],
  });
  const kept = answer(
    at,
    "All 31 tests pass. One decision is yours: should revoking a device also end its running requests?",
  );
  at = say(kept, "…and end running requests");
  at = answer(
    at,
    "Then the handler needs the request's context in a registry.",
    tool("edit_file", "backend/auth/registry.go", { added: 48, removed: 0 }),
  );
  for (const text of ["Is a map with a mutex enough?", "Measure the lock"]) {
    at = say(at, text);
    at = answer(
      at,
      "Enough up to about 50,000 open requests.",
      tool("run_command", "go test -bench=Registry", { durationMs: 9100 }),
    );
  }
  at = say(kept, "Add the sweep job");
  at = answer(
    at,
    "Added `sweep.go`; it runs every hour and deletes what expired.",
    tool("write_file", "backend/auth/sweep.go", { added: 61 }),
  );
  at = say(at, "Write the migration");
  const head = answer(
    at,
    "Migration 0007 creates `tokens` and fills it from the live cookies.",
    tool("write_file", "migrations/0007_tokens.up.sql", { added: 22 }),
    tool("run_command", "make migrate", { durationMs: 1900 }),
  );
  at = say("", "Same, with JWT");
  fake.label(at, "idea");
  at = answer(at, "A JWT with a life of five minutes needs a refresh table anyway.");
  at = say(at, "Measure token size");
  answer(at, "1,140 bytes against 43.");
  fake.session.headUid = head;
}

/** Fills one long path: so many messages, one branch. */
export function fillLong(fake: FakeSession, messages: number): void {
  let at = "";
  for (let index = 0; index < messages; index += 2) {
    at = fake.append(at, {
      role: "user",
      blocks: [prose(`Question ${index / 2 + 1}: ${pick(questions, index)}`)],
    });
    at = fake.append(at, {
      role: "assistant",
      blocks: [
        prose(pick(answers, index >> 2)),
        ...(index % 6 === 0 ? [tool("read_file", `src/file-${index}.ts`)] : []),
      ],
      inputTokens: 900,
      outputTokens: 210,
      costNanoUsd: 3_100_000,
    });
  }
}

/** Fills a session with what breaks layouts: one word, 100 KB, no spaces, Arabic, Chinese, an error. */
export function fillHard(fake: FakeSession): void {
  let at = fake.append("", { role: "user", blocks: [prose("x")] });
  at = fake.append(at, { role: "assistant", blocks: [prose("word ".repeat(20_000))] });
  at = fake.append(at, { role: "user", blocks: [prose("a".repeat(4000))] });
  at = fake.append(at, {
    role: "assistant",
    blocks: [
      prose(
        "هذه رسالة طويلة باللغة العربية لاختبار الاتجاه من اليمين إلى اليسار مع `code` في الوسط.",
      ),
    ],
  });
  at = fake.append(at, {
    role: "user",
    blocks: [
      prose(
        "这是一条用来检查换行和行高的中文消息，没有任何空格，应该在窗口的边缘正确地换行，并且不会溢出。".repeat(
          4,
        ),
      ),
    ],
  });
  at = fake.append(at, {
    role: "assistant",
    error: "overloaded_error: the provider did not answer",
    blocks: [
      tool("run_command", "cat /var/log/everything.log", {
        lines: 812_000,
        sizeBytes: 60_000_000,
        durationMs: 61_000,
      }),
      block({ type: "other", text: '{"type":"unknown_part","value":42}' }),
    ],
  });
  fake.append(at, {
    role: "user",
    kind: "command",
    blocks: [block({ type: "meta", text: "/cost", html: "<p>/cost</p>" })],
  });
}
