// The unit tests run on a fake of Go's bindings. This test calls each binding of the fake and of the
// program in the same way, and fails if a result or an error has another shape.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunRequest, SearchQuery, SessionFilter, StatisticsQuery } from "@/lib/api/api";
import { type Fake, installFake } from "@/testing/fake-api";
import { openBrowser, openPage } from "./browser";
import { type Program, startProgram } from "./program";
import { listSessions, mailSession, withSamples } from "./samples";
import { differences, optionalFields, shapeOf } from "./shape";

type Name = keyof Fake["bindings"];
type Call = (name: Name, ...args: unknown[]) => Promise<unknown>;

/** What a side has: a session with tool calls and alternatives, and messages of its path. */
interface Scene {
  session: string;
  head: string;
  /** A message with alternatives. */
  forked: string;
  /** A message with a tool call, and the index of its part. */
  called: string;
  part: number;
  /** The ends of two paths. */
  left: string;
  right: string;
  /** The first prompt. */
  prompt: string;
}

const filter: SessionFilter = {
  query: "",
  sources: [],
  statuses: [],
  workspace: "",
  model: "",
  label: "",
  tag: "",
  project: "",
  branched: false,
  errors: false,
  parentId: "",
  children: false,
  incomplete: false,
  pinned: false,
  archived: false,
  trash: false,
  sort: "updated",
  pinnedFirst: false,
  limit: 10,
  offset: 0,
  activeFromMs: 0,
  activeBeforeMs: 0,
};

const search: SearchQuery = {
  text: "the",
  substring: false,
  regex: false,
  filter: "",
  sessionId: "",
  fromId: "",
  order: "",
  typing: false,
  limit: 20,
  before: 0,
  withinMs: 0,
};

const statistics: StatisticsQuery = {
  since: "",
  until: "",
  sources: [],
  workspace: "",
  model: "",
  split: "model",
};

const runOf = (sessionId: string): RunRequest => ({
  sessionId,
  fromUid: "",
  root: false,
  text: "Say hello",
  images: [],
  cites: [],
  model: "script/demo",
  agent: "",
  mode: "",
  effort: "",
  workspace: "",
  budgetUsd: "",
  maxSteps: 0,
  maxTokens: 0,
  timeoutMs: 0,
  baseUrl: "",
  confirmed: [],
  name: "",
  takeOver: false,
  compaction: "",
  review: false,
  aside: false,
  summary: false,
});

const agent = {
  name: "reviewer",
  description: "",
  extends: "build",
  prompt: "",
  model: "",
  mode: "",
  effort: "",
  tools: [],
  maxSteps: 0,
};

/** The calls, in this order, with arguments that mean the same on both sides. */
const calls: [Name, (scene: Scene) => unknown[]][] = [
  ["ListSessions", () => [filter]],
  ["GetFacets", () => []],
  ["SuggestFiles", () => ["mai"]],
  ["GetStatistics", () => [statistics]],
  ["GetSession", (on) => [on.session]],
  ["GetOriginal", (on) => [on.session]],
  ["GetWindow", (on) => [on.session, on.head, 0, 50]],
  ["FindOnPath", (on) => [on.session, on.head, "the"]],
  ["GetExportParts", (on) => [on.session, on.head]],
  [
    "PreviewRedaction",
    (on) => [
      {
        ...{ sessionIds: [on.session], all: false, leafUids: [], format: "md", scope: "tree" },
        ...{ detail: "full", redact: true, withJson: false, words: ["the"], keep: [] },
        ...{ theme: "", passphrase: "" },
      },
    ],
  ],
  ["GetPathTurns", (on) => [on.session, on.head]],
  ["GetDigests", (on) => [on.session, on.head, [{ from: 0, count: 2 }]]],
  ["GetTurnWork", (on) => [on.session, on.head, { from: 0, count: 100 }]],
  ["GetTurnCalls", (on) => [on.session, on.head, { from: 0, count: 100 }, "edited", 0, 50]],
  ["GetToolDetail", (on) => [on.session, on.called, on.part, ""]],
  ["GetMessageMarkdown", (on) => [on.session, on.prompt]],
  ["GetMarkdown", (on) => [on.session, on.prompt, true]],
  ["GetMirror", () => []],
  ["SetMirror", () => [{ folder: "", format: "", redact: false, error: "" }]],
  ["GetSessionsWithSecrets", () => []],
  ["GetTurns", (on) => [on.session, [0, 1, 2]]],
  ["GetTurnParts", (on) => [on.session, [{ turn: 0, from: 0, to: 0 }]]],
  ["GetTurnEfforts", (on) => [on.session, [{ turn: 0, from: -1, to: -1 }]]],
  ["FindTurns", (on) => [on.session, "the"]],
  ["FindTurnsBeginning", (on) => [on.session, "a"]],
  ["ListSiblings", (on) => [on.session, on.forked]],
  ["Locate", (on) => [on.session, "n1"]],
  ["Visit", (on) => [on.session, on.head]],
  ["MoveHead", (on) => [on.session, on.head]],
  ["SetLabel", (on) => [on.session, on.prompt, "start"]],
  ["SetBookmark", (on) => [on.session, on.prompt, true]],
  ["ColorLabel", (on) => [on.session, on.prompt, "teal"]],
  ["SetMain", (on) => [on.session, on.head]],
  ["EstimateTitles", (on) => [[on.session], "script/demo"]],
  ["NameCheckpoint", (on) => [on.session, on.prompt, "contract"]],
  ["ListCheckpoints", (on) => [on.session, "", 10]],
  ["RestoreCheckpoint", (on) => [on.session, "contract"]],
  ["UndoRestore", (on) => [on.session]],
  ["RemoveCheckpoint", (on) => [on.session, "contract"]],
  ["Compare", (on) => [on.session, on.left, on.right, 0, 20]],
  [
    "CompareWords",
    (on) => [
      on.session,
      { leafUid: on.left, from: 0, messages: 2 },
      { leafUid: on.right, from: 0, messages: 2 },
    ],
  ],
  ["CompareFiles", (on) => [on.session, on.left, on.right]],
  ["CompareFile", (on) => [on.session, on.left, on.right, "README.md"]],
  ["GetAnswer", (on) => [on.session, on.head, 0]],
  ["Search", () => [search]],
  ["CountHits", () => [search]],
  ["GetIndexing", () => []],
  ["ListLinks", (on) => [on.session]],
  ["ListHidden", (on) => [on.session]],
  ["ListModelCosts", (on) => [on.session]],
  ["ListJobs", (on) => [on.session]],
  ["ListAgentCosts", (on) => [on.session]],
  ["ListAuthors", (on) => [on.session]],
  ["ListAgentTurns", (on) => [on.session]],
  ["FindSources", () => []],
  ["GetFollowed", () => []],
  ["SetFollowed", () => [[]]],
  ["GetLibraryState", () => []],
  ["GetLocationRisk", () => []],
  ["DismissLocationRisk", () => []],
  ["SetDailyBackups", () => [false]],
  ["GetSettings", () => []],
  ["SetSettings", () => [{ theme: "dark", zoomPercent: 100 }]],
  ["SetState", () => ["contract", "1"]],
  ["GetState", () => ["contract"]],
  ["SetFocused", () => [true]],
  ["SetTexts", () => [{ menu: {} }]],
  ["GetAbout", () => []],
  ["GetHome", () => []],
  ["GetTeam", (on) => [on.session, "", ""]],
  ["CreateTeam", (on) => [on.session, ""]],
  ["GetComposerOptions", (on) => [on.session, ""]],
  ["ListProviders", () => []],
  ["GetDefaults", () => []],
  ["SetDefault", () => ["mode", "plan"]],
  ["ListAgents", () => []],
  ["SaveAgent", () => [agent]],
  ["RemoveAgent", () => [agent.name]],
  ["ListServers", () => []],
  ["ListTrusted", () => []],
  [
    "SaveProvider",
    () => [{ name: "mine", baseUrl: "http://127.0.0.1:1/v1", protocol: "", keyEnv: "" }],
  ],
  ["TestProvider", () => ["mine"]],
  ["RemoveProvider", () => ["mine"]],
  ["ListConfirmations", (on) => [runOf(on.session)]],
  ["GetPrompt", (on) => [on.session, on.prompt]],
  ["GetSending", (on) => [runOf(on.session)]],
  ["ReadImages", () => [[]]],
  ["ListApprovals", () => [""]],
  ["GetUnsent", () => []],
  ["RemoveUnsent", () => [[]]],
  ["StartCheck", () => []],
  ["RenameSession", (on) => [on.session, "Renamed"]],
  ["PinSessions", (on) => [[on.session], true]],
  ["TagSessions", (on) => [[on.session], "later", false]],
  ["ColorTag", () => ["later", "red"]],
  ["RenameTag", () => ["later", "soon"]],
  ["ArchiveSessions", (on) => [[on.session], true]],
  ["TrashSessions", (on) => [[on.session]]],
  ["RestoreSessions", (on) => [[on.session]]],
  ["HideSiblings", (on) => [on.session, on.forked]],
  ["HideMessages", (on) => [on.session, [on.forked]]],
  ["UnhideMessages", (on) => [on.session, [], ""]],
  ["HideOthers", (on) => [on.session, on.head]],
  ["PurgeHidden", (on) => [on.session]],
  [
    "Graft",
    (on) => [
      { sessionId: on.session, uid: on.prompt, path: true, below: false },
      on.session,
      on.head,
    ],
  ],
  ["Split", (on) => [on.session, on.head, "Split"]],
  ["HibernateSession", (on) => [on.session, { at: "24h", path: "", sessionId: "" }]],
  ["ListWakes", (on) => [on.session]],
  ["WriteTitles", (on) => [[on.session], "script/demo"]],
  ["StartRun", (on) => [runOf(on.session)]],
  ["GetRun", (on) => [on.session, "", 0, 0]],
  ["StopRun", (on) => [on.session, ""]],
  ["LoadSamples", () => []],
  ["PurgeSessions", () => [[]]],
];

/** Bindings that are not called here, and why. */
const uncalled: Partial<Record<Name, string>> = {
  ChooseFiles: "opens a dialog of the system",
  ChooseFolder: "opens a dialog of the system",
  ChooseExportPath: "opens a dialog of the system",
  ChooseWorkspace: "opens a dialog of the system",
  ChooseWatched: "opens a dialog of the system",
  StopJob: "needs a running job: teams.test.ts stops one",
  ChooseTeam: "opens a dialog of the system",
  ExportStatistics: "opens a dialog of the system",
  OpenURL: "starts another program",
  RemoveCopy: "needs a copy: tending.test.ts removes one",
  RevealFile: "starts another program",
  RevealTeams: "starts another program",
  RevealSession: "starts another program",
  LockLibrary: "needs an encrypted library: encryption.test.ts locks one",
  UnlockByKeyring: "needs an encrypted library",
  RestoreBackup: "replaces the library",
  StartNewLibrary: "replaces the library",
  StartRecovery: "replaces the library",
  TrustWorkspace: "needs a workspace that brings settings",
  StartImport: "returns the id of a job, as StartCheck does",
  GetSecrets: "returns other secrets on each side",
  HandOver: "writes a session to the home folder",
  ChooseMirrorFolder: "opens a dialog of the system",
  StartExport: "returns the id of a job, as StartCheck does",
  StartBackup: "returns the id of a job, as StartCheck does",
  StartBackupNow: "returns the id of a job, as StartCheck does",
  GetJob: "is called with the id of StartCheck",
  CancelJob: "is called with the id of StartCheck",
  GetSent: "returns what GetSending returns, for an answer of a run",
  CompactContext: "starts a run as StartRun does, and returns a sentence",
  StartRuns: "returns what StartRun returns, in a list",
  SteerRun: "needs a run that waits",
  AnswerRun: "needs a run that waits",
  RemoveKey: "needs a keyring",
  RemoveServer: "needs an MCP server",
  TestServer: "starts a program",
  ForgetTrust: "needs an answered question",
  ConfirmApproval: "needs an imported approval",
  ForgetApproval: "needs an approval",
};

/** Calls for what does not exist. */
const failures: [Name, unknown[]][] = [
  ["GetSession", ["no-such-session"]],
  ["GetWindow", ["no-such-session", "", 0, 50]],
  ["GetJob", ["no-such-job"]],
  ["Locate", ["no-such-session", "n0"]],
  ["GetSent", ["no-such-session", "m1"]],
  ["ListCheckpoints", ["no-such-session", "", 10]],
];

let program: Program;
let page: Page;
let fake: Fake;
let real: Call;
let faked: Call;
const scenes: { real?: Scene; fake?: Scene } = {};
const optional = optionalFields(
  readFileSync(join(import.meta.dirname, "../src/wailsjs/go/models.ts"), "utf8"),
);

/** A rejection, as the page sees it. */
class Rejected {
  readonly reason: unknown;
  constructor(reason: unknown) {
    this.reason = reason;
  }
}

function bindingsOf(page: Page): Call {
  return async (name, ...args) => {
    const answer = await page.evaluate(
      async ([name, args]) => {
        const structs = Object.values(window.go?.window ?? {}) as unknown as Record<
          string,
          (...args: unknown[]) => Promise<unknown>
        >[];
        const call = structs.find((struct) => struct[name])?.[name];
        if (!call) return { missing: true };
        try {
          return { value: await call(...args) };
        } catch (reason) {
          return { reason };
        }
      },
      [name, args] as const,
    );
    if ("missing" in answer) throw new Error(`the program has no binding ${name}`);
    return "reason" in answer ? new Rejected(answer.reason) : answer.value;
  };
}

function bindingsOfFake({ bindings }: Fake): Call {
  return async (name, ...args) => {
    try {
      return structuredClone(
        await (bindings[name] as (...args: unknown[]) => Promise<unknown>)(...args),
      );
    } catch (reason) {
      return new Rejected(structuredClone(reason));
    }
  };
}

interface Block {
  type: string;
  part: number;
}
interface Message {
  uid: string;
  role: string;
  siblings: number;
  blocks: Block[];
}

async function sceneOf(call: Call, session: string): Promise<Scene> {
  const { headUid } = (await call("GetSession", session)) as { headUid: string };
  const { messages } = (await call("GetWindow", session, headUid, 0, 200)) as {
    messages: Message[];
  };
  const forked = messages.find(({ siblings }) => siblings > 1);
  const called = messages.find(({ blocks }) => blocks.some(({ type }) => type === "tool"));
  const prompt = messages.find(({ role }) => role === "user");
  if (!forked || !called || !prompt) throw new Error(`session ${session} has no fork or tool call`);
  const siblings = (await call("ListSiblings", session, forked.uid)) as { uid: string }[];
  const other = siblings.find(({ uid }) => uid !== forked.uid);
  const { leafUid } = (await call("Locate", session, other?.uid ?? "")) as { leafUid: string };
  return {
    session,
    head: headUid,
    forked: forked.uid,
    called: called.uid,
    part: called.blocks.find(({ type }) => type === "tool")?.part ?? 0,
    left: headUid,
    right: leafUid,
    prompt: prompt.uid,
  };
}

beforeAll(async () => {
  // The fake is installed in a window; its bindings need no page.
  globalThis.window ??= globalThis as unknown as typeof globalThis.window;
  fake = installFake({ importMs: 200 });
  faked = bindingsOfFake(fake);
  program = await startProgram(withSamples);
  page = await openPage(await openBrowser(), program.url);
  real = bindingsOf(page);
  const session = (await listSessions(program)).get(mailSession);
  if (!session) throw new Error(`no session ${mailSession}`);
  scenes.real = await sceneOf(real, session.id);
  scenes.fake = await sceneOf(faked, forkedSession(fake));
});

afterAll(async () => {
  await page?.context().close();
  await program?.stop();
});

/** The id of a session of the fake with alternatives and tool calls on its path. */
function forkedSession({ library }: Fake): string {
  const found = library.all().find(({ id }) => {
    const { messages } = library.open(id).window("", 0, 200);
    return (
      messages.some(({ siblings }) => siblings > 1) &&
      messages.some(({ blocks }) => blocks.some(({ type }) => type === "tool"))
    );
  });
  if (!found) throw new Error("no session of the fake has a fork and a tool call");
  return found.id;
}

async function both(name: Name, argsOf: (scene: Scene) => unknown[]) {
  const { real: realScene, fake: fakeScene } = scenes;
  if (!realScene || !fakeScene) throw new Error("no scene");
  return [await real(name, ...argsOf(realScene)), await faked(name, ...argsOf(fakeScene))] as const;
}

function expectSameShape(ofReal: unknown, ofFake: unknown) {
  expect(ofReal, "the program rejects the call").not.toBeInstanceOf(Rejected);
  expect(ofFake, "the fake rejects the call").not.toBeInstanceOf(Rejected);
  // Go returns null where a method returns nothing.
  if (ofReal === null && ofFake === undefined) return;
  expect(differences(shapeOf(ofReal), shapeOf(ofFake), optional)).toEqual([]);
}

test("every binding of the fake is called, or named with the reason why not", () => {
  const named = [...calls.map(([name]) => name), ...(Object.keys(uncalled) as Name[])];
  expect(named.toSorted()).toEqual(Object.keys(fake.bindings).toSorted());
});

test("the program has every binding of the fake", async () => {
  const names = await page.evaluate(() =>
    Object.values(window.go?.window ?? {}).flatMap((struct) => Object.keys(struct)),
  );
  expect(names).toEqual(expect.arrayContaining(Object.keys(fake.bindings)));
});

describe("results have the same shape", () => {
  test.each(calls)("%s", async (name, argsOf) => {
    const [ofReal, ofFake] = await both(name, argsOf);
    expectSameShape(ofReal, ofFake);
  });
  test("GetJob, CancelJob", async () => {
    const [realJob, fakeJob] = await both("StartCheck", () => []);
    expectSameShape(await real("GetJob", realJob), await faked("GetJob", fakeJob));
    expectSameShape(await real("CancelJob", realJob), await faked("CancelJob", fakeJob));
  });
});

describe("errors have the same code and fields", () => {
  test.each(failures)("%s", async (name, args) => {
    const [ofReal, ofFake] = [await real(name, ...args), await faked(name, ...args)];
    expect(ofReal).toBeInstanceOf(Rejected);
    expect(ofFake).toBeInstanceOf(Rejected);
    const [a, b] = [(ofReal as Rejected).reason, (ofFake as Rejected).reason];
    expect(b).toMatchObject({ code: (a as { code: string }).code });
    expect(differences(shapeOf(a), shapeOf(b), optional)).toEqual([]);
  });
});
