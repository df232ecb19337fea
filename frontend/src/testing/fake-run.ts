// The fake's engine: plays an answer, and if the prompt requests it, a tool call that asks first.

import type {
  Approval,
  ChangeKind,
  ComposerOptions,
  LiveAnswer,
  LiveBlock,
  LiveQuestion,
  LiveRun,
  ModelInfo,
  Prompt,
  RunRequest,
  Sending,
  StartedRun,
  TeamInfo,
  UnsentMessage,
} from "@/lib/api/api";
import { noChoice, requestOf } from "@/lib/session/choice";
import { prose, reasoning, tool } from "./fake-blocks";
import { changeOf } from "./fake-change";
import type { FakeLibrary } from "./fake-library";
import type { FakeSession } from "./fake-session";

type Emit = (name: string, ...data: unknown[]) => void;

const stepMs = 16;
/** Words at each step. */
const speed = 2;

const answer = `A table makes each token revocable and lets us list a person's devices. I will store only a hash of the token, with \`expires_at_ms\` indexed for the sweep.

The cookie keeps its name, so that nobody is signed out by the change. Old cookies are accepted for a release and exchanged at their first use.

Three things follow from it:

The sweep runs once an hour and removes what has expired; it costs one index range and never locks the table for longer than a batch.

The list of devices reads the same index by person. Revoking one of them is an update of one row, and the next request of that device is refused.

Should revoking a device also end its running requests? I would leave them alone: they are short, and ending them needs a second look at every handler.`;

const command = "go test ./backend/auth/...";
const diff = `--- a/backend/auth/session.go
+++ b/backend/auth/session.go
@@ -41,3 +41,5 @@
 func (s *Store) Revoke(ctx context.Context, id string) error {
-\treturn s.cookies.Clear(id)
+\t_, err := s.db.ExecContext(ctx,
+\t\t\`UPDATE tokens SET revoked_at_ms = ? WHERE id = ?\`, s.now(), id)
+\treturn wrap("revoke token", err)
 }`;

const noRun: LiveRun["run"] = {
  id: "",
  sessionId: "",
  lane: 0,
  agent: "",
  model: "",
  baseUrl: "",
  mode: "",
  workspacePath: "",
  budget: {},
  owner: { pid: 0, started: "", host: "" },
  status: "",
  stopReason: "",
  error: "",
  stepCount: 0,
  inputTokens: 0,
  outputTokens: 0,
  costNanoUsd: 0,
  unpricedSteps: 0,
  startedAtMs: 0,
  endedAtMs: 0,
};

export const noLive: LiveRun = {
  sessionId: "",
  running: false,
  run: noRun,
  lastUid: "",
  draftId: 0,
  revision: 0,
  blocks: [],
  calls: [],
  questions: [],
  notices: [],
  working: [],
  turn: "",
  retry: "",
  queue: [],
  error: "",
  errorCode: "",
  hint: "",
  lanes: [],
};

interface Played {
  live: LiveRun;
  blocks: LiveBlock[];
  stopped: boolean;
  /** Of each of the queue. */
  cites: string[][];
  answered: ((answer: LiveAnswer) => void) | undefined;
}

/** The runs of the fake, by session. */
export class FakeRuns {
  readonly #runs = new Map<string, Played>();
  readonly #library: FakeLibrary;
  readonly #emit: Emit;
  #seq = 0;
  readonly approvals: Approval[] = [];

  constructor(library: FakeLibrary, emit: Emit) {
    this.#library = library;
    this.#emit = emit;
  }

  start(request: RunRequest): StartedRun {
    const fake = request.sessionId
      ? this.#library.open(request.sessionId)
      : this.#library.add(newSession(request));
    const { session } = fake;
    const id = `run-${++this.#seq}`;
    const run = {
      ...noRun,
      id,
      sessionId: session.id,
      agent: request.agent || "build",
      model: request.model || "anthropic/claude-sonnet-5",
      mode: request.mode || "confirm-sensitive",
      budget: { steps: request.maxSteps || 50 },
      status: "running",
      startedAtMs: Date.now(),
    };
    const live = { ...noLive, sessionId: session.id, running: true, run, draftId: 1 };
    const played: Played = { live, blocks: [], stopped: false, cites: [], answered: undefined };
    this.#runs.set(session.id, played);
    Object.assign(session, { status: "running", stopReason: "" });
    this.#report(played, "messages");
    void this.#play(fake, played, request);
    return { sessionId: session.id, runId: id, problem: "" };
  }

  sending(request: RunRequest): Sending {
    const { sessionId, text, images, model, mode, agent } = request;
    const messages = sessionId === "" ? 0 : this.#library.open(sessionId).session.messageCount;
    return {
      model: model || "anthropic/claude-sonnet-5",
      windowTokens: 200_000,
      tokens: 18_430,
      counted: messages > 0,
      agent: agent || "build",
      system: "You are a careful engineer.",
      systemTokens: 1204,
      files: [{ path: "AGENTS.md", cut: false }],
      tools: [{ name: "run_command", description: "Runs a command in the workspace" }],
      toolTokens: 640,
      mode: mode || "confirm-sensitive",
      hidden: 0,
      messages,
      turns: messages,
      firstTurn: messages > 0 ? 0 : -1,
      lastTurn: messages - 1,
      pathTokens: 16_000,
      images: images.length,
      promptTokens: text.length,
      notices: [],
      sentAtMs: 0,
    };
  }

  sent(fake: FakeSession, uid: string): Sending {
    const { createdAtMs, depth } = fake.message(uid);
    return {
      ...this.sending(requestOf(fake.session.id, noChoice)),
      ...{ messages: depth, promptTokens: 0, sentAtMs: createdAtMs - 1 },
    };
  }

  get(sessionId: string, draftId: number, revision: number): LiveRun {
    const played = this.#runs.get(sessionId);
    if (!played) return noLive;
    const known = draftId === played.live.draftId ? revision : 0;
    return { ...played.live, blocks: played.blocks.filter((one) => one.revision > known) };
  }

  stop(sessionId: string): void {
    const played = this.#runs.get(sessionId);
    if (!played) return;
    played.stopped = true;
    played.answered?.({ allow: false, scope: "once", wide: false, text: "", cites: [] });
  }

  steer(sessionId: string, text: string, cites: string[]): void {
    const played = this.#runs.get(sessionId);
    if (!played?.live.running) throw { code: "conflict", message: "the run is over" };
    played.live.queue = [...played.live.queue, text];
    played.cites.push(cites);
    this.#report(played);
  }

  unsent(): UnsentMessage[] {
    return [...this.#runs].flatMap(([sessionId, { live, cites }]) =>
      live.running
        ? []
        : live.queue.map((text, at) => ({
            uid: `${sessionId}-${at}`,
            sessionId,
            text,
            cites: cites[at] ?? [],
          })),
    );
  }

  removeUnsent(): void {
    for (const { live, cites } of this.#runs.values()) {
      if (live.running) continue;
      live.queue = [];
      cites.length = 0;
    }
  }

  answer(sessionId: string, question: number, answer: LiveAnswer): void {
    const played = this.#runs.get(sessionId);
    if (played?.live.questions[0]?.id !== question)
      throw { code: "conflict", message: "this question has been answered already" };
    if (answer.allow && answer.scope !== "once")
      this.approvals.push({
        id: `approval-${this.approvals.length}`,
        scope: answer.scope,
        sessionId,
        workspacePath: "/home/ada/src/shop",
        tool: "run_command",
        matcher: answer.wide ? "go test *" : command,
        decision: "allow",
        reason: "",
        createdAtMs: Date.now(),
      });
    played.answered?.(answer);
  }

  prompt(fake: FakeSession, uid: string): Prompt {
    const { parentUid, turn, blocks } = fake.message(uid);
    return { uid, parentUid, turn, text: blocks.map(({ text }) => text).join("\n\n"), images: [] };
  }

  #report(played: Played, ...also: ChangeKind[]) {
    for (const kind of ["run", ...also] as const)
      this.#emit("changed", changeOf(kind, played.live.sessionId));
  }

  async #play(fake: FakeSession, played: Played, request: RunRequest) {
    const { live } = played;
    const { agent, model } = live.run;
    const wrote = (uid: string) => {
      live.lastUid = uid;
      live.draftId++;
      live.revision = 0;
      played.blocks = [];
      this.#report(played, "messages");
      return uid;
    };
    let at = request.root ? "" : request.fromUid || fake.session.headUid;
    if (request.text !== "")
      at = wrote(fake.append(at, { role: "user", blocks: [prose(request.text)] }));
    const wantsTool = /test|write|run|edit/i.test(request.text);
    await this.#say(played, "reasoning", "Revocation needs a row per token.");
    await this.#say(played, "prose", answer);
    if (played.stopped) return this.#end(fake, played, "interrupted", "user_interrupt");
    live.run.stepCount++;
    live.run.inputTokens += 18_430;
    live.run.outputTokens += 240;
    live.run.costNanoUsd += 58_000_000;
    const spent = { inputTokens: 18_430, outputTokens: 240, costNanoUsd: 58_000_000, agent, model };
    const thought = reasoning("Revocation needs a row per token.");
    const callId = `call-${this.#seq}`;
    const call = tool("run_command", command, { callId, state: "missing", durationMs: 0 });
    const blocks = [thought, prose(answer), ...(wantsTool ? [call] : [])];
    at = wrote(fake.append(at, { role: "assistant", blocks, ...spent }));
    if (wantsTool) {
      const { allow } = await this.#ask(played, question(callId, request.text));
      if (played.stopped) {
        fake.endCall(callId, "failed", 0);
        return this.#end(fake, played, "interrupted", "user_interrupt");
      }
      if (allow) await this.#work(played, callId);
      fake.endCall(callId, allow ? "done" : "denied", allow ? 1200 : 0);
      live.calls = [];
      wrote(fake.append(at, { role: "tool", blocks: [], hidden: true }));
      await this.#say(played, "prose", "All 31 tests pass.");
      live.run.stepCount++;
      wrote(
        fake.append(live.lastUid, {
          role: "assistant",
          blocks: [prose("All 31 tests pass.")],
          ...spent,
        }),
      );
    }
    if (request.review) {
      const review = { ...question("", ""), kind: "review", title: "The model has answered" };
      const { allow } = await this.#ask(played, review);
      if (!allow) return this.#end(fake, played, "partial", "hitl_quit");
    }
    this.#end(fake, played, "success", "llm_done");
  }

  async #say(played: Played, type: string, text: string) {
    const { live } = played;
    const paragraphs = text.split("\n\n");
    for (const paragraph of paragraphs) {
      const index = played.blocks.length;
      const words = paragraph.split(" ");
      for (let said = 1; said <= words.length && !played.stopped; said += speed) {
        const html = prose(words.slice(0, said + speed - 1).join(" ")).html;
        live.revision++;
        played.blocks[index] = {
          index,
          revision: live.revision,
          type,
          html,
          text: "",
          toolName: "",
        };
        this.#report(played);
        await new Promise((wake) => setTimeout(wake, stepMs));
      }
    }
  }

  async #ask(played: Played, asked: LiveQuestion): Promise<LiveAnswer> {
    asked.id = ++this.#seq;
    played.live.questions = [asked];
    this.#report(played);
    const answer = await new Promise<LiveAnswer>((done) => {
      played.answered = done;
    });
    played.answered = undefined;
    played.live.questions = [];
    this.#report(played);
    return answer;
  }

  async #work(played: Played, callId: string) {
    const { live } = played;
    const call = {
      callId,
      name: "run_command",
      running: true,
      failed: false,
      startedAtMs: Date.now(),
      output: "",
    };
    live.calls = [call];
    const lines: string[] = [];
    for (let line = 1; line <= 12; line++) {
      lines.push(`ok  \tshop/backend/auth/part${line}\t0.${line}12s`);
      call.output = lines.slice(-6).join("\n");
      live.calls = [{ ...call }];
      this.#report(played);
      await new Promise((wake) => setTimeout(wake, 100));
    }
  }

  #end(fake: FakeSession, played: Played, status: string, stopReason: string) {
    const { live } = played;
    Object.assign(fake.session, { status, stopReason });
    live.running = false;
    live.questions = [];
    live.calls = [];
    live.run = { ...live.run, status, stopReason, endedAtMs: Date.now() };
    live.draftId++;
    live.revision = 0;
    played.blocks = [];
    this.#report(played, "messages");
  }
}

function question(callId: string, prompt: string): LiveQuestion {
  const edits = /edit|write/i.test(prompt);
  return {
    id: 0,
    kind: "permit",
    callId,
    toolName: edits ? "edit_file" : "run_command",
    title: edits ? "Edit backend/auth/session.go" : `Run ${command}`,
    preview: edits ? diff : command,
    risk: /risk/i.test(prompt) ? "it reaches outside of the workspace" : "",
    targets: [edits ? "backend/auth/session.go" : command],
    wider: [
      edits
        ? "every file below backend/auth/ of this workspace"
        : "every command that begins with go test",
    ],
    inWorkspace: edits,
    sandbox: edits ? "" : "files confined by landlock; network off",
  };
}

function newSession(request: RunRequest) {
  const now = Date.now();
  const title = request.text.split("\n")[0]?.slice(0, 80) ?? "";
  return {
    id: `new-${now}`,
    name: "",
    title,
    task: request.text,
    source: "coppice",
    sourceId: "",
    sourcePath: "",
    status: "running",
    stopReason: "",
    agent: "build",
    model: request.model,
    workspacePath: request.workspace,
    filesModified: [],
    parentId: "",
    parentUid: "",
    relation: "",
    headUid: "",
    messageCount: 0,
    unpricedCalls: 0,
    branchCount: 0,
    turnCount: 0,
    stepCount: 0,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    pinnedAtMs: 0,
    archivedAtMs: 0,
    deletedAtMs: 0,
    createdAtMs: now,
    updatedAtMs: now,
  };
}

function model(provider: string, id: string, more: Partial<ModelInfo> = {}): ModelInfo {
  return {
    provider,
    id,
    name: id,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    images: true,
    tools: true,
    reasoning: true,
    local: false,
    ...more,
  };
}

const price = (input: number, output: number) => ({
  inputNanoUsdPerMillion: input * 1e9,
  outputNanoUsdPerMillion: output * 1e9,
});

/** What a session without a team continues with. */
export const noTeam: TeamInfo = {
  ref: "",
  name: "",
  description: "",
  strategy: "",
  agents: [],
  source: "",
  problem: "",
};

/** What the composer is offered. */
export function composerOptions(workspace: string): ComposerOptions {
  return {
    models: [
      model("anthropic", "claude-sonnet-5", price(3, 15)),
      model("anthropic", "claude-opus-5", price(5, 25)),
      model("anthropic", "claude-haiku-5", price(0.8, 4)),
      model("openai", "gpt-5.2", { contextTokens: 400_000, ...price(1.25, 10) }),
      model("openai", "gpt-5.2-mini", { contextTokens: 400_000, ...price(0.25, 2) }),
      model("ollama", "qwen3-coder:30b", {
        local: true,
        contextTokens: 32_768,
        images: false,
        ...price(0, 0),
      }),
      model("script", "demo", {
        local: true,
        contextTokens: 128_000,
        reasoning: false,
        ...price(0, 0),
      }),
    ],
    agents: [
      { name: "build", description: "Does the work", mode: "confirm-sensitive", model: "" },
      { name: "plan", description: "Reads, and says what it would do", mode: "plan", model: "" },
      { name: "review", description: "Looks for defects in a change", mode: "plan", model: "" },
    ],
    teams: [],
    commands: [
      { name: "explain", takes: "FILE", description: "Explains a file" },
      { name: "review", takes: "", description: "Looks for defects in the last commit" },
    ],
    model: "anthropic/claude-sonnet-5",
    agent: "build",
    mode: "confirm-sensitive",
    effort: "",
    budgetUsd: "",
    maxSteps: 50,
    workspace: workspace || "/home/ada/src/shop",
    problems: [
      {
        provider: "google",
        message: "there is no key for google",
        hint: "set GEMINI_API_KEY, or run: coppice config key set google",
      },
      {
        provider: "lmstudio",
        message: "nothing answers at 127.0.0.1:1234",
        hint: "start LM Studio's server",
      },
    ],
    sandbox: "Landlock",
    trust: {
      workspace: workspace || "/home/ada/src/shop",
      answer: "",
      listed: false,
      brings: [],
      digest: "",
    },
  };
}
