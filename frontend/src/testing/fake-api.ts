// An in-memory stand-in for Go, for tests and for `vite dev` with ?fake in the address. It is
// never part of the program: only main.tsx in development and the tests import it.

import type { api, ChangeKind, Followed, Job, Settings, ToolDetail, Wake } from "@/lib/api/api";
import { block } from "./fake-blocks";
import { changeOf } from "./fake-change";
import { FakeCheckpoints } from "./fake-checkpoints";
import { compareFake } from "./fake-compare";
import {
  fakeDigest,
  fakeEffort,
  fakeFind,
  fakePathTurns,
  fakeTurnCalls,
  fakeWork,
} from "./fake-digest";
import { fakeExportParts, fakeRedacted } from "./fake-export";
import { fakeHome } from "./fake-home";
import { FakeLibrary } from "./fake-library";
import { composerOptions, FakeRuns, noTeam } from "./fake-run";
import { fakeSetup, serveSecrets } from "./fake-setup";
import { encodeFake } from "./fake-skeleton";
import { addUp } from "./fake-statistics";

type Api = typeof api;
/** Requests whose body is a secret of the library. */
type Secret = "unlockLibrary" | "encryptLibrary" | "changePassphrase" | "sendAgentZeroKey";
/** Calls of the API that no binding answers. */
type Unbound =
  | "getSkeleton"
  | "setClipboard"
  | "quit"
  | "setKey"
  | "saveServer"
  | "holdPassphrase"
  | Secret;
/** The bindings that api.ts calls, all of their structs together. */
type Bindings = { [Name in Exclude<keyof Api, Unbound> as Capitalize<Name>]: Api[Name] };

declare global {
  interface Window {
    go?: { window: Record<string, Bindings> };
    runtime?: unknown;
  }
}

export interface Fake {
  library: FakeLibrary;
  /** Every call, as its name and arguments, for tests. */
  calls: { name: string; args: unknown[] }[];
  /** The bindings, to be replaced one by one in a test. */
  bindings: Bindings;
  /** Sends an event as Go would. */
  emit: (name: string, ...data: unknown[]) => void;
  /** Drops files on the window. */
  drop: (paths: string[]) => void;
}

export interface FakeOptions {
  /** How many sessions there are. */
  sessions?: number;
  /** How long each call takes. */
  latencyMs?: number;
  /** How long an import takes. */
  importMs?: number;
}

/** Puts a fake in the place of Go. Call it before anything calls the api. */
export function installFake({
  sessions = 200,
  latencyMs = 0,
  importMs = 4000,
}: FakeOptions = {}): Fake {
  const library = new FakeLibrary();
  library.grow(sessions);
  const listeners = new Map<string, ((...data: unknown[]) => void)[]>();
  let dropped: (x: number, y: number, paths: string[]) => void = () => {};
  const emit: Fake["emit"] = (name, ...data) => {
    for (const listener of listeners.get(name) ?? []) listener(...data);
  };
  const calls: Fake["calls"] = [];
  const bindings = makeBindings(library, emit, importMs);
  const answering = recorded(bindings, calls, latencyMs);
  window.go = { window: new Proxy({}, { get: () => answering }) };
  window.runtime = {
    EventsOnMultiple: (name: string, listener: (...data: unknown[]) => void) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener]);
      return () => {};
    },
    Quit: () => {},
    OnFileDrop: (listener: typeof dropped) => {
      dropped = listener;
    },
    ClipboardSetText: async () => true,
  };
  serveSkeletons(library);
  serveSecrets();
  return { library, calls, bindings, emit, drop: (paths) => dropped(0, 0, paths) };
}

const skeletonPath = /^\/skeleton\/([^?]+)/;

/** Answers for trees in the place of Go's asset handler. */
function serveSkeletons(library: FakeLibrary) {
  const pass = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const id = typeof input === "string" && skeletonPath.exec(input)?.[1];
    if (!id) return pass(input, init);
    return new Response(encodeFake(library.open(decodeURIComponent(id)).tree()));
  };
}

/** Calls through by name, so that a test can replace a binding after the fake is installed. */
function recorded(bindings: Bindings, calls: Fake["calls"], latencyMs: number): Bindings {
  return new Proxy(bindings, {
    get: (_, name: keyof Bindings) => {
      return async (...args: unknown[]) => {
        calls.push({ name, args });
        if (latencyMs > 0) await new Promise((wake) => setTimeout(wake, latencyMs));
        // Answers are copies, as they are after JSON.
        const call = bindings[name] as (...args: unknown[]) => Promise<unknown>;
        const answer = await call(...args);
        return answer === undefined ? answer : structuredClone(answer);
      };
    },
  });
}

const nothingHidden = { tops: [], messages: 0, turns: 0, headUid: "" };

function makeBindings(library: FakeLibrary, emit: Fake["emit"], importMs: number): Bindings {
  const jobs = new FakeJobs(library, emit);
  const runs = new FakeRuns(library, emit);
  // What most tests look for is in all messages.
  const state = new Map([["window", JSON.stringify({ transcriptMode: "all" })]]);
  let settings: Settings = { theme: "system", zoomPercent: 100, autoLockMinutes: 15 };
  let followed: Followed = {
    paths: [],
    chosen: false,
    missing: [],
    trouble: "",
    progress: { done: 0, total: 0, doneBytes: 0, totalBytes: 0, current: "" },
  };
  const changed = (kind: ChangeKind, ...ids: string[]) => {
    for (const id of ids) emit("changed", changeOf(kind, id));
    if (ids.length === 0) emit("changed", changeOf(kind));
  };
  const checkpoints = new FakeCheckpoints(library, (id) => changed("checkpoints", id));
  const each = (ids: string[], change: (id: string) => void) => {
    for (const id of ids) change(id);
    changed("session", ...ids);
  };
  const wakes = new Map<string, Wake[]>();
  const now = (on: boolean) => (on ? Date.now() : 0);
  let mirror = { folder: "", format: "", redact: false, error: "" };
  return {
    ListSessions: async (filter) => library.list(filter),
    GetFacets: async () => library.facets(),
    SuggestFiles: async (prefix) =>
      ["main.go", "main_test.go", "README.md"]
        .filter((name) => prefix !== "" && name.startsWith(prefix))
        .map((value) => ({ value, count: 2 })),
    GetStatistics: async (query) => addUp(library.sessions, query),
    ExportStatistics: async (_query, by) => `/home/ada/coppice-by-${by}.csv`,
    GetSession: async (ref) => library.open(ref).session,
    RenameSession: async (id, title) => {
      library.open(id).session.title = title;
      changed("session", id);
    },
    PinSessions: async (ids, on) =>
      each(ids, (id) => {
        library.open(id).session.pinnedAtMs = now(on);
      }),
    TagSessions: async (ids, tag, remove) => {
      const tagged = ids.filter(
        (id) => (library.open(id).session.tags ?? []).includes(tag) === remove,
      );
      for (const id of tagged) {
        const { session } = library.open(id);
        const others = (session.tags ?? []).filter((other) => other !== tag);
        session.tags = remove ? others : [...others, tag].sort();
        changed("session", id);
      }
      return tagged;
    },
    RenameTag: async (from, to) => {
      for (const session of library.all())
        if (session.tags?.includes(from))
          session.tags = [...new Set(session.tags.map((tag) => (tag === from ? to : tag)))].sort();
      changed("list");
    },
    ColorTag: async (tag, color) => {
      library.tagColors.set(tag, color);
      changed("list");
    },
    ArchiveSessions: async (ids, on) =>
      each(ids, (id) => {
        library.open(id).session.archivedAtMs = now(on);
      }),
    TrashSessions: async (ids) =>
      each(ids, (id) => {
        library.open(id).session.deletedAtMs = Date.now();
      }),
    RestoreSessions: async (ids) =>
      each(ids, (id) => {
        library.open(id).session.deletedAtMs = 0;
      }),
    PurgeSessions: async (ids) => {
      const gone = library
        .all()
        .filter(({ id, deletedAtMs }) => deletedAtMs > 0 && (ids.length === 0 || ids.includes(id)));
      for (const { id } of gone) library.remove(id);
      changed("list");
      return gone.length;
    },
    GetWindow: async (id, leafUid, from, limit) => library.open(id).window(leafUid, from, limit),
    FindOnPath: async (id, leafUid, text) => fakeFind(library.open(id), leafUid, text),
    GetPathTurns: async (id, leafUid) => fakePathTurns(library.open(id), leafUid),
    GetDigests: async (id, leafUid, turns) =>
      turns.map((turn) => fakeDigest(library.open(id), leafUid, turn)),
    GetTurnWork: async (id, leafUid, turn) => fakeWork(library.open(id), leafUid, turn),
    GetTurnCalls: async (id, leafUid, turn, phase, _from, limit) =>
      fakeTurnCalls(library.open(id), leafUid, turn, phase, limit),
    GetToolDetail: async (id, uid, part) => detail(library.open(id).message(uid).blocks[part]),
    GetMessageMarkdown: async (id, uid) =>
      library
        .open(id)
        .message(uid)
        .blocks.map(({ text }) => text)
        .join("\n\n"),
    GetMarkdown: async (id, uid) => `## n0 · ${library.open(id).message(uid).uid}`,
    GetTurns: async (id, numbers) =>
      library
        .open(id)
        .tree()
        .turns.filter(({ node }) => numbers.includes(node)),
    GetTurnParts: async (id, parts) =>
      library
        .open(id)
        .tree()
        .turns.filter(({ node }) => parts.some(({ turn }) => turn === node)),
    GetTurnEfforts: async (id, parts) =>
      library
        .open(id)
        .tree()
        .turns.filter(({ node }) => parts.some(({ turn }) => turn === node))
        .map(fakeEffort),
    RemoveCopy: async () => 0,
    FindTurns: async (id, text) => library.open(id).find(text.trim().toLowerCase()),
    FindTurnsBeginning: async (id, text) =>
      library
        .open(id)
        .tree()
        .turns.filter(({ preview }) => preview.toLowerCase().startsWith(text.toLowerCase()))
        .map(({ node }) => node),
    ListSiblings: async (id, uid) => library.open(id).siblings(uid),
    Locate: async (id, node) => library.open(id).locate(node),
    Visit: async (id, leafUid) => library.open(id).visit(leafUid),
    MoveHead: async (id, node) => {
      const fake = library.open(id);
      fake.session.headUid = fake.resolve(node);
      changed("head", id);
      return fake.session;
    },
    SetLabel: async (id, uid, text) => {
      library.open(id).label(uid, text);
      changed("labels", id);
    },
    SetBookmark: async (id) => changed("labels", id),
    ColorLabel: async (id) => changed("labels", id),
    SetMain: async (id) => changed("labels", id),
    EstimateTitles: async (ids) => ({
      sessions: ids.length,
      own: 0,
      tokens: 600 * ids.length,
      costNanoUsd: 1_200_000 * ids.length,
    }),
    WriteTitles: async (ids) => {
      each(ids, (id) => {
        library.open(id).session.title = "Written by a model";
      });
      return { written: ids.length, failed: 0, error: "", costNanoUsd: 1_000_000 };
    },
    ListCheckpoints: async (id, before, limit) => checkpoints.list(id, before, limit),
    NameCheckpoint: async (id, uid, name) => checkpoints.name(id, uid, name),
    RemoveCheckpoint: async (id, checkpoint) => checkpoints.remove(id, checkpoint),
    RestoreCheckpoint: async (id, checkpoint) => checkpoints.restore(id, checkpoint),
    UndoRestore: async (id) => checkpoints.undo(id),
    HideMessages: async () => nothingHidden,
    HideSiblings: async () => nothingHidden,
    HideOthers: async () => nothingHidden,
    UnhideMessages: async (id) => changed("trash", id),
    ListHidden: async () => [],
    ListLinks: async () => [],
    GetOriginal: async () => ({ tool: "", args: [], folder: "", text: "", reason: "" }),
    RevealSession: async () => {},
    HandOver: async ({ to }) => ({
      path: `/home/ada/.${to}/new.jsonl`,
      id: "new",
      command: `cd /home/ada/shop && ${to} --resume new`,
      folder: "/home/ada/shop",
      tool: to,
      reason: "",
    }),
    HibernateSession: async (id, { at, path, sessionId }) => {
      const wake = { kind: "manual", atMs: 0, path: "", title: "", detail: "", active: true };
      const waits: Wake[] = [];
      if (at) waits.push({ ...wake, kind: "time", atMs: Date.now() + 3_600_000 });
      if (path) waits.push({ ...wake, kind: "change", path });
      if (sessionId)
        waits.push({ ...wake, kind: "done", title: library.open(sessionId).session.title });
      wakes.set(id, waits.length > 0 ? waits : [wake]);
      Object.assign(library.open(id).session, { status: "hibernated", stopReason: "hibernated" });
      changed("session", id);
      return wakes.get(id) ?? [];
    },
    ListWakes: async (id) => wakes.get(id) ?? [],
    ChooseWatched: async (folder) => (folder ? "/home/ada/src" : "/home/ada/src/notes.md"),
    PurgeHidden: async () => 0,
    Graft: async (_, sessionId) => ({ sessionId, uid: "", messages: 0 }),
    Split: async (id) => library.open(id).session,
    Compare: async (id, left, right, from, limit) =>
      compareFake(library.open(id), left, right, from, limit),
    CompareWords: async () => ({
      left: [
        { text: "I would take the ", changed: false },
        { text: "first", changed: true },
        { text: " way.", changed: false },
      ],
      right: [
        { text: "I would take the ", changed: false },
        { text: "second", changed: true },
        { text: " way.", changed: false },
      ],
      same: 88,
      cut: false,
    }),
    CompareFiles: async () => ({ files: [], omitted: 0 }),
    CompareFile: async (_id, _left, _right, path) => ({
      path,
      known: false,
      between: { path, added: 0, removed: 0, created: false, omitted: 0, hunks: [] },
      left: [],
      right: [],
    }),
    GetAnswer: async (id, leafUid, from) => {
      const { messages } = library.open(id).window(leafUid, from, 0);
      const answer = messages.findLast(({ role, blocks }) => role === "assistant" && blocks[0]);
      return {
        uid: answer?.uid ?? "",
        turn: answer?.turn ?? 0,
        text: answer?.blocks[0]?.text ?? "",
        cut: false,
      };
    },
    Search: async (query) => library.search(query),
    CountHits: async () => ({ total: 0, more: false, sessions: [] }),
    GetIndexing: async () => ({ done: 0, total: 0, doneBytes: 0, totalBytes: 0, current: "" }),
    FindSources: async () => [
      { source: "claude_code", path: "/home/ada/.claude/projects", files: 214, sizeBytes: 412e6 },
      { source: "codex", path: "/home/ada/.codex/sessions", files: 31, sizeBytes: 18.2e6 },
    ],
    GetFollowed: async () => followed,
    SetFollowed: async (paths) => {
      followed = { ...followed, paths, chosen: true };
      changed("settings");
    },
    ChooseFiles: async () => ["/home/ada/Downloads/session.jsonl"],
    ChooseFolder: async () => "/home/ada/Downloads/sessions",
    ChooseExportPath: async (suggested) => `/home/ada/Documents/${suggested}`,
    StartImport: async () => jobs.start("import", importMs),
    GetExportParts: async (id, leafUid) => fakeExportParts(library.open(id), leafUid),
    PreviewRedaction: async ({ words }) => fakeRedacted(words),
    GetMirror: async () => mirror,
    SetMirror: async (setting) => {
      mirror = setting;
    },
    ChooseMirrorFolder: async () => "/home/ada/mirror",
    GetSecrets: async () => ({ secrets: [], total: 0, waiting: 0 }),
    GetSessionsWithSecrets: async () => [],
    StartExport: async (_, path) => jobs.start("export", 600, path),
    StartBackup: async (path) => jobs.start("backup", 900, path),
    GetLibraryState: async () => ({
      path: "/home/ada/.local/share/coppice/coppice.db",
      state: "open",
      message: "",
      damage: [],
      backups: [],
      dailyBackups: true,
      encrypted: false,
      inKeyring: false,
    }),
    UnlockByKeyring: async () => {},
    LockLibrary: async () => {},
    GetLocationRisk: async () => ({ syncedBy: "", folder: "", network: "" }),
    DismissLocationRisk: async () => {},
    StartRecovery: async () => jobs.start("recover", 900),
    RestoreBackup: async () => "",
    StartNewLibrary: async () => "",
    StartBackupNow: async () => jobs.start("backup", 900, "backup.db"),
    SetDailyBackups: async () => {},
    StartCheck: async () => jobs.start("check", 900),
    GetJob: async (id) => jobs.get(id),
    CancelJob: async (id) => jobs.cancel(id),
    LoadSamples: async () => {
      const sessions = library.grow(8);
      changed("list");
      return { imported: 8, updated: 0, unchanged: 0, skipped: 0, sessions, problems: [] };
    },
    GetSettings: async () => settings,
    SetSettings: async (next) => {
      settings = next;
      changed("settings");
    },
    GetState: async (key) => state.get(key) ?? "",
    SetState: async (key, value) => {
      state.set(key, value);
    },
    GetAbout: async () => ({
      version: "0.1.0",
      stats: {
        path: "/home/ada/.local/share/coppice/coppice.db",
        sizeBytes: 412_300_000,
        schemaVersion: 1,
        sessions: library.all().length,
        messages: library.all().reduce((sum, { messageCount }) => sum + messageCount, 0),
        branches: library.all().reduce((sum, { branchCount }) => sum + branchCount, 0),
        blobs: 812,
        blobBytes: 96_000_000,
        trashSessions: library.facets().trash,
      },
    }),
    GetHome: async () => fakeHome(library),
    OpenURL: async () => {},
    RevealFile: async () => {},
    GetComposerOptions: async (_, workspace) => composerOptions(workspace),
    ListConfirmations: async () => [],
    TrustWorkspace: async () => {},
    GetPrompt: async (id, uid) => runs.prompt(library.open(id), uid),
    ReadImages: async () => [],
    GetSending: async (request) => runs.sending(request),
    GetSent: async (id, uid) => runs.sent(library.open(id), uid),
    StartRun: async (request) => runs.start(request),
    StartRuns: async (request) => [runs.start(request)],
    CompactContext: async () => "context compacted: 61 → 12 messages",
    GetRun: async (id, _, draftId, revision) => runs.get(id, draftId, revision),
    StopRun: async (id) => runs.stop(id),
    SteerRun: async (id, _, text, cites) => runs.steer(id, text, cites),
    GetUnsent: async () => runs.unsent(),
    RemoveUnsent: async () => runs.removeUnsent(),
    AnswerRun: async (id, _, question, answer) => runs.answer(id, question, answer),
    SetFocused: async () => {},
    SetTexts: async () => {},
    ListApprovals: async () => runs.approvals,
    ConfirmApproval: async (id) => {
      const found = runs.approvals.find((one) => one.id === id);
      if (found) found.unconfirmed = false;
    },
    ForgetApproval: async (id) => {
      runs.approvals.splice(
        runs.approvals.findIndex((one) => one.id === id),
        1,
      );
    },
    ListJobs: async () => [],
    StopJob: async () => {},
    ListAgentCosts: async () => [],
    ListAuthors: async () => [],
    ListAgentTurns: async () => [],
    ListModelCosts: async (id) => {
      const { model, stepCount, inputTokens, outputTokens, costNanoUsd } = library.open(id).session;
      return [
        {
          model,
          stepCount,
          inputTokens,
          outputTokens,
          costNanoUsd,
          unpricedSteps: 0,
          unestimatedSteps: 0,
        },
      ];
    },
    ...fakeSetup(() => changed("settings")),
    ChooseWorkspace: async () => "/home/ada/src/other",
    ChooseTeam: async () => noTeam,
    CreateTeam: async () => noTeam,
    RevealTeams: async () => undefined,
    GetTeam: async () => noTeam,
  };
}

function detail(of: { toolName: string; target: string; state: string } | undefined): ToolDetail {
  const name = of?.toolName ?? "";
  const target = of?.target ?? "";
  const line = (op: string, at: number, text: string) => ({
    op,
    oldLine: op === "+" ? 0 : at,
    newLine: op === "-" ? 0 : at,
    text,
    html: text.replace(/&/g, "&amp;").replace(/</g, "&lt;"),
  });
  const edits = /edit|write/.test(name);
  return {
    structured: { name: "", value: "", html: "", long: false, list: false, cut: false },
    arguments: [
      {
        name: edits ? "file_path" : "input",
        value: target,
        html: "",
        long: false,
        list: false,
        cut: false,
      },
    ],
    diffs: edits
      ? [
          {
            path: target,
            added: 3,
            removed: 1,
            created: name === "write_file",
            omitted: 0,
            hunks: [
              {
                lines: [
                  line(" ", 41, "func (s *Store) Revoke(ctx context.Context, id string) error {"),
                  line("-", 42, "\treturn s.cookies.Clear(id)"),
                  line("+", 42, "\t_, err := s.db.ExecContext(ctx,"),
                  line(
                    "+",
                    43,
                    "\t\t`UPDATE tokens SET revoked_at_ms = ? WHERE id = ?`, s.now(), id)",
                  ),
                  line("+", 44, '\treturn wrap("revoke token", err)'),
                  line(" ", 45, "}"),
                ],
              },
            ],
          },
        ]
      : [],
    result: edits
      ? []
      : [
          block({
            type: "prose",
            text: of?.state === "denied" ? "the person refused this call" : output(target),
            lines: 40,
            chars: 2400,
            sizeBytes: 2400,
            shown: target.includes("everything.log"),
            blob: target.includes("everything.log") ? "sha256:fake-text" : "",
          }),
        ],
  };
}

const output = (target: string) =>
  Array.from(
    { length: 40 },
    (_, line) => `${String(line + 1).padStart(4)}  ${target} line ${line + 1}`,
  ).join("\n");

const tickMs = 100;

class FakeJobs {
  readonly #jobs = new Map<string, Job>();
  readonly #library: FakeLibrary;
  readonly #emit: Fake["emit"];

  constructor(library: FakeLibrary, emit: Fake["emit"]) {
    this.#library = library;
    this.#emit = emit;
  }

  get(id: string): Job {
    const job = this.#jobs.get(id);
    if (!job) throw { code: "not_found", message: `no job "${id}"`, remedy: "" };
    return job;
  }

  cancel(id: string): void {
    const job = this.get(id);
    job.done = true;
    job.canceled = true;
    this.#emit("changed", changeOf("job", "", id));
  }

  start(kind: string, lastsMs: number, path = ""): string {
    const id = `job-${this.#jobs.size + 1}`;
    const job: Job = {
      id,
      kind,
      progress: { done: 0, total: 214, doneBytes: 0, totalBytes: 412e6, current: "" },
      done: false,
      canceled: false,
      error: "",
      hint: "",
      report: { imported: 0, updated: 0, unchanged: 0, skipped: 0, sessions: [], problems: [] },
      path,
      startedAtMs: Date.now(),
    };
    this.#jobs.set(id, job);
    const steps = Math.max(1, Math.round(lastsMs / tickMs));
    let step = 0;
    const tick = () => {
      if (job.done) return;
      step++;
      job.progress.done = Math.round((214 * step) / steps);
      job.progress.doneBytes = Math.round((412e6 * step) / steps);
      job.progress.current = `/home/ada/.claude/projects/-home-ada-src-coppice/0193${step}.jsonl`;
      if (kind === "import" && step % 4 === 0) {
        job.report.sessions.push(...this.#library.grow(5));
        job.report.imported += 5;
        this.#emit("changed", changeOf("list"));
      }
      if (step >= steps) this.#finish(job);
      else setTimeout(tick, tickMs);
      this.#emit("changed", changeOf("job", "", id));
    };
    setTimeout(tick, 0);
    return id;
  }

  #finish(job: Job) {
    job.done = true;
    if (job.kind !== "import") return;
    Object.assign(job.report, {
      updated: 2,
      unchanged: 170,
      skipped: 3,
      removed: 2,
      skippedFiles: [
        { path: "/home/ada/.claude/projects/empty.jsonl", reason: "contains no session" },
        { path: "/home/ada/.claude/projects/old.jsonl", reason: "removed for good" },
        { path: "/home/ada/.claude/projects/older.jsonl", reason: "removed for good" },
      ],
      problems: [
        {
          path: "/home/ada/.claude/projects/-home-ada-src-coppice/0193aa.jsonl",
          line: 4812,
          message: "not a JSON object; the line was kept as it is",
        },
      ],
    });
  }
}
