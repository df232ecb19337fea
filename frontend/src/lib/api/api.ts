// The only access to Go: nothing else imports the generated bindings or the Wails runtime.
//
// Every call rejects with an ApiError. One listener per event name lives as long as the page;
// callers subscribe to it here, because the runtime loses listeners that are removed in a callback.

import { fromGo } from "@/lib/i18n/from-go";
import type {
  change,
  config,
  core,
  diff,
  hand,
  job,
  launch,
  live,
  provider,
  render,
  window as shell,
  texts,
} from "@/wailsjs/go/models";
import * as agents from "@/wailsjs/go/window/AgentBindings";
import * as checkpoints from "@/wailsjs/go/window/CheckpointBindings";
import * as comparisons from "@/wailsjs/go/window/CompareBindings";
import * as composer from "@/wailsjs/go/window/ComposerBindings";
import * as digests from "@/wailsjs/go/window/DigestBindings";
import * as exports from "@/wailsjs/go/window/ExportBindings";
import * as imports from "@/wailsjs/go/window/ImportBindings";
import * as jobs from "@/wailsjs/go/window/JobBindings";
import * as library from "@/wailsjs/go/window/LibraryBindings";
import * as messages from "@/wailsjs/go/window/MessageBindings";
import * as models from "@/wailsjs/go/window/ModelBindings";
import * as runs from "@/wailsjs/go/window/RunBindings";
import * as searches from "@/wailsjs/go/window/SearchBindings";
import * as sessions from "@/wailsjs/go/window/SessionBindings";
import * as settings from "@/wailsjs/go/window/SettingsBindings";
import * as statistics from "@/wailsjs/go/window/StatisticsBindings";
import * as titles from "@/wailsjs/go/window/TitleBindings";
import * as trash from "@/wailsjs/go/window/TrashBindings";
import * as trees from "@/wailsjs/go/window/TreeBindings";
import * as runtime from "@/wailsjs/runtime/runtime";

export type Session = core.Session;
export type SessionFilter = core.SessionFilter;
export type SessionPage = shell.SessionPage;
export type Facets = core.Facets;
export type Tag = core.Tag;
export type Facet = core.Facet;
export type Turn = core.Turn;
export type TurnEffort = core.TurnEffort;
export type Sibling = core.Sibling;
export type Hiding = core.Hiding;
export type Checkpoint = shell.CheckpointView;
export type Link = core.Link;
export type GraftSource = core.GraftSource;
export type StartedRun = live.Started;
export type Comparison = core.Comparison;
export type Side = core.Side;
export type Pair = core.Pair;
export type TurnRange = core.TurnRange;
export type SearchQuery = core.SearchQuery;
export type Hit = core.Hit;
export type Found = core.Found;
export type PathHits = core.PathHits;
export type PathHit = core.PathHit;
export type HitCount = core.HitCount;
export type Statistics = core.Statistics;
export type StatisticsQuery = core.StatisticsQuery;
export type StatisticsGroup = core.Group;
export type StatisticsCell = core.Cell;
export type Home = core.Home;
export type Report = core.Report;
export type Problem = core.Problem;
export type Progress = core.Progress;
export type WindowView = render.WindowView;
export type MessageView = render.MessageView;
export type Block = render.Block;
export type TurnDigest = render.TurnDigest;
export type Work = render.Work;
export type Phase = render.Phase;
export type WorkItem = render.WorkItem;
export type ToolDetail = render.ToolDetail;
export type Preview = render.Preview;
export type FileDiff = render.FileDiff;
export type DiffLine = render.DiffLine;
export type Span = diff.Span;
export type FileEffect = render.FileEffect;
export type FileEffects = render.FileEffects;
export type Effect = render.Effect;
export type Location = shell.Location;
export type Followed = shell.Followed;
export type Job = job.Job;
export type AgentJob = core.Job;
export type ExportParts = shell.ExportParts;
export type ExportRequest = shell.ExportRequest;
export type Redacted = shell.Redacted;
export type MirrorSetting = shell.MirrorSetting;
export type SecretList = shell.SecretList;
export type Secret = core.Secret;
export type Handed = hand.Handed;
export type Settings = shell.Settings;
export type About = shell.About;
export type LibraryState = shell.LibraryState;
export type LocationRisk = shell.LocationRisk;
export type Backup = core.Backup;
export type Recovery = core.Recovery;
export type RecoveredSession = core.RecoveredSession;
export type RunRequest = launch.RunRequest;
export type Upload = launch.Upload;
export type LiveRun = live.State;
export type Lane = live.Lane;
export type LiveBlock = render.LiveBlock;
export type LiveCall = live.Call;
export type UnsentMessage = shell.UnsentMessage;
export type LiveQuestion = live.Question;
export type LiveAnswer = live.Answer;
export type ComposerOptions = launch.ComposerOptions;
export type WorkspaceTrust = config.WorkspaceTrust;
export type Confirmation = launch.Confirmation;
export type ProviderState = launch.ProviderState;
export type AgentInfo = launch.AgentInfo;
export type TeamInfo = launch.TeamInfo;
export type ModelInfo = core.ModelInfo;
export type ModelCost = core.ModelCost;
export type AgentCost = core.AgentCost;
export type AgentTurn = core.AgentTurn;
export type Approval = core.Approval;
export type ProviderService = provider.Service;
export type ProviderEdit = config.ProviderEdit;
export type McpServer = config.ServerEdit;
export type AgentEdit = config.AgentEdit;
export type TestResult = shell.TestResult;
export type NativeTexts = texts.Texts;
export type Prompt = shell.Prompt;
export type Sending = shell.Sending;
export type Answer = shell.Answer;
export type Wake = shell.WakeView;
export type WakeRequest = shell.WakeRequest;

/** The error of every failed call; `code` is one of the codes in backend/core/error.go. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string;
  /** What would help, for a button beside the hint: a kind of backend/core/remedy.go; empty if none exists. */
  readonly remedy: string;
  constructor(code: string, message: string, hint = "", remedy = "") {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.hint = hint;
    this.remedy = remedy;
  }
}

/** Converts the rejection of a binding to an ApiError. */
export function toApiError(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  if (typeof reason === "object" && reason !== null && "message" in reason) {
    const { code, message, hint, remedy } = reason as Record<string, unknown>;
    return new ApiError(
      typeof code === "string" ? code : "internal",
      String(message),
      typeof hint === "string" ? fromGo(hint) : "",
      typeof remedy === "string" ? remedy : "",
    );
  }
  return new ApiError("internal", String(reason));
}

function guarded<A extends unknown[], R>(call: (...args: A) => Promise<R>) {
  return async (...args: A): Promise<R> => {
    try {
      return await call(...args);
    } catch (reason) {
      throw toApiError(reason);
    }
  };
}

export const api = {
  listSessions: guarded(sessions.ListSessions),
  getFacets: guarded(sessions.GetFacets),
  suggestFiles: guarded(sessions.SuggestFiles),
  getSession: guarded(sessions.GetSession),
  renameSession: guarded(sessions.RenameSession),
  pinSessions: guarded(sessions.PinSessions),
  tagSessions: guarded(sessions.TagSessions),
  renameTag: guarded(sessions.RenameTag),
  colorTag: guarded(sessions.ColorTag),
  archiveSessions: guarded(sessions.ArchiveSessions),
  trashSessions: guarded(sessions.TrashSessions),
  restoreSessions: guarded(sessions.RestoreSessions),
  purgeSessions: guarded(sessions.PurgeSessions),
  getWindow: guarded(messages.GetWindow),
  getPathTurns: guarded(digests.GetPathTurns),
  getDigests: guarded(digests.GetDigests),
  getTurnWork: guarded(digests.GetTurnWork),
  getTurnCalls: guarded(digests.GetTurnCalls),
  getToolDetail: guarded(messages.GetToolDetail),
  getMessageMarkdown: guarded(messages.GetMessageMarkdown),
  getTurns: guarded(trees.GetTurns),
  getTurnParts: guarded(trees.GetTurnParts),
  getTurnEfforts: guarded(trees.GetTurnEfforts),
  removeCopy: guarded(trees.RemoveCopy),
  findTurns: guarded(trees.FindTurns),
  findTurnsBeginning: guarded(trees.FindTurnsBeginning),
  getSkeleton: guarded(fetchSkeleton),
  listSiblings: guarded(trees.ListSiblings),
  locate: guarded(trees.Locate),
  visit: guarded(trees.Visit),
  moveHead: guarded(trees.MoveHead),
  setLabel: guarded(trees.SetLabel),
  setBookmark: guarded(trees.SetBookmark),
  colorLabel: guarded(trees.ColorLabel),
  setMain: guarded(trees.SetMain),
  estimateTitles: guarded(titles.EstimateTitles),
  writeTitles: guarded(titles.WriteTitles),
  listCheckpoints: guarded(checkpoints.ListCheckpoints),
  nameCheckpoint: guarded(checkpoints.NameCheckpoint),
  removeCheckpoint: guarded(checkpoints.RemoveCheckpoint),
  restoreCheckpoint: guarded(checkpoints.RestoreCheckpoint),
  undoRestore: guarded(checkpoints.UndoRestore),
  hideMessages: guarded(trash.HideMessages),
  hideSiblings: guarded(trash.HideSiblings),
  hideOthers: guarded(trash.HideOthers),
  unhideMessages: guarded(trash.UnhideMessages),
  listHidden: guarded(trash.ListHidden),
  purgeHidden: guarded(trash.PurgeHidden),
  listLinks: guarded(sessions.ListLinks),
  graft: guarded(trees.Graft),
  split: guarded(trees.Split),
  compare: guarded(comparisons.Compare),
  compareWords: guarded(comparisons.CompareWords),
  compareFiles: guarded(comparisons.CompareFiles),
  compareFile: guarded(comparisons.CompareFile),
  getAnswer: guarded(messages.GetAnswer),
  search: guarded(searches.Search),
  findOnPath: guarded(searches.FindOnPath),
  countHits: guarded(searches.CountHits),
  getIndexing: guarded(searches.GetIndexing),
  getStatistics: guarded(statistics.GetStatistics),
  exportStatistics: guarded(statistics.ExportStatistics),
  findSources: guarded(imports.FindSources),
  getFollowed: guarded(imports.GetFollowed),
  setFollowed: guarded(imports.SetFollowed),
  chooseFiles: guarded(imports.ChooseFiles),
  chooseFolder: guarded(imports.ChooseFolder),
  chooseExportPath: guarded(exports.ChooseExportPath),
  startImport: guarded(imports.StartImport),
  getExportParts: guarded(exports.GetExportParts),
  previewRedaction: guarded(exports.PreviewRedaction),
  startExport: guarded(exports.StartExport),
  /** Holds the passphrase of the next export, and returns its name. */
  holdPassphrase: guarded((passphrase: string) => sendSecret("/export-passphrase", passphrase)),
  getMirror: guarded(exports.GetMirror),
  setMirror: guarded(exports.SetMirror),
  chooseMirrorFolder: guarded(exports.ChooseMirrorFolder),
  getSecrets: guarded(exports.GetSecrets),
  getSessionsWithSecrets: guarded(exports.GetSessionsWithSecrets),
  startBackup: guarded(library.StartBackup),
  startCheck: guarded(library.StartCheck),
  getLibraryState: guarded(library.GetLibraryState),
  getLocationRisk: guarded(library.GetLocationRisk),
  dismissLocationRisk: guarded(library.DismissLocationRisk),
  startRecovery: guarded(library.StartRecovery),
  restoreBackup: guarded(library.RestoreBackup),
  startNewLibrary: guarded(library.StartNewLibrary),
  startBackupNow: guarded(library.StartBackupNow),
  setDailyBackups: guarded(library.SetDailyBackups),
  unlockByKeyring: guarded(library.UnlockByKeyring),
  lockLibrary: guarded(library.LockLibrary),
  unlockLibrary: guarded(unlockLibrary),
  encryptLibrary: guarded(encryptLibrary),
  changePassphrase: guarded(changePassphrase),
  sendAgentZeroKey: guarded(sendAgentZeroKey),
  getJob: guarded(jobs.GetJob),
  cancelJob: guarded(jobs.CancelJob),
  loadSamples: guarded(imports.LoadSamples),
  getSettings: guarded(settings.GetSettings),
  setSettings: guarded(settings.SetSettings),
  getState: guarded(settings.GetState),
  setState: guarded(settings.SetState),
  getAbout: guarded(library.GetAbout),
  getHome: guarded(library.GetHome),
  openURL: guarded(settings.OpenURL),
  revealFile: guarded(exports.RevealFile),
  getComposerOptions: guarded(composer.GetComposerOptions),
  listConfirmations: guarded(composer.ListConfirmations),
  trustWorkspace: guarded(composer.TrustWorkspace),
  getPrompt: guarded(messages.GetPrompt),
  getSending: guarded(composer.GetSending),
  getSent: guarded(messages.GetSent),
  readImages: guarded(composer.ReadImages),
  startRun: guarded(runs.StartRun),
  startRuns: guarded(runs.StartRuns),
  compactContext: guarded(runs.CompactContext),
  getRun: guarded(runs.GetRun),
  stopRun: guarded(runs.StopRun),
  steerRun: guarded(runs.SteerRun),
  listJobs: guarded(runs.ListJobs),
  stopJob: guarded(runs.StopJob),
  answerRun: guarded(runs.AnswerRun),
  getUnsent: guarded(runs.GetUnsent),
  removeUnsent: guarded(runs.RemoveUnsent),
  setFocused: guarded(settings.SetFocused),
  setTexts: guarded(settings.SetTexts),
  listApprovals: guarded(runs.ListApprovals),
  confirmApproval: guarded(runs.ConfirmApproval),
  forgetApproval: guarded(runs.ForgetApproval),
  listModelCosts: guarded(sessions.ListModelCosts),
  listAgentCosts: guarded(sessions.ListAgentCosts),
  listAuthors: guarded(sessions.ListAuthors),
  listAgentTurns: guarded(sessions.ListAgentTurns),
  listProviders: guarded(models.ListProviders),
  testProvider: guarded(models.TestProvider),
  setKey: guarded(sendKey),
  removeKey: guarded(models.RemoveKey),
  saveProvider: guarded(models.SaveProvider),
  removeProvider: guarded(models.RemoveProvider),
  getDefaults: guarded(models.GetDefaults),
  setDefault: guarded(models.SetDefault),
  listAgents: guarded(agents.ListAgents),
  saveAgent: guarded(agents.SaveAgent),
  removeAgent: guarded(agents.RemoveAgent),
  listServers: guarded(agents.ListServers),
  saveServer: guarded(sendServer),
  removeServer: guarded(agents.RemoveServer),
  testServer: guarded(agents.TestServer),
  listTrusted: guarded(agents.ListTrusted),
  forgetTrust: guarded(agents.ForgetTrust),
  getOriginal: guarded(sessions.GetOriginal),
  handOver: guarded(sessions.HandOver),
  getMarkdown: guarded(messages.GetMarkdown),
  revealSession: guarded(sessions.RevealSession),
  hibernateSession: guarded(sessions.HibernateSession),
  listWakes: guarded(sessions.ListWakes),
  chooseWatched: guarded(sessions.ChooseWatched),
  chooseWorkspace: guarded(composer.ChooseWorkspace),
  chooseTeam: guarded(composer.ChooseTeam),
  createTeam: guarded(composer.CreateTeam),
  revealTeams: guarded(composer.RevealTeams),
  getTeam: guarded(composer.GetTeam),
  /** Closes the window; Go asks first while runs are active. */
  quit: () => runtime.Quit(),
  setClipboard: guarded(runtime.ClipboardSetText),
};

/** Returns a session's tree as lib/skeleton.ts reads it: what was added after a message, or all of it for -1 and after other changes. */
async function fetchSkeleton(
  sessionId: string,
  after: number,
  reshapes: number,
): Promise<ArrayBuffer> {
  const answer = await fetch(
    `/skeleton/${encodeURIComponent(sessionId)}?after=${after}&reshapes=${reshapes}`,
  );
  if (!answer.ok) throw await answer.json();
  return answer.arrayBuffer();
}

/** The address of a path as a page to print; `detail` is one of exports. */
export function printAddress(sessionId: string, leafUid: string, detail: string): string {
  const query = new URLSearchParams({ leaf: leafUid, detail });
  return `/print/${encodeURIComponent(sessionId)}?${query}`;
}

/** Sends what may contain a secret in the body of a request: Wails logs the arguments of bindings. */
async function sendSecret(path: string, body: string): Promise<string> {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body,
  });
  if (!answer.ok) throw await answer.json();
  return answer.json();
}

/** Stores the key of a provider in the keyring of the system, or holds it in memory. Returns "keyring" or "memory". */
function sendKey(provider: string, key: string, hold: boolean): Promise<string> {
  return sendSecret(`/key/${encodeURIComponent(provider)}${hold ? "?hold=1" : ""}`, key);
}

/** Opens the locked library with a passphrase or recovery code. */
function unlockLibrary(secret: string): Promise<string> {
  return sendSecret("/library-key", secret);
}

/** Encrypts the library with a passphrase and returns the recovery code. */
function encryptLibrary(passphrase: string, keyring: boolean): Promise<string> {
  return sendSecret(`/library-encryption${keyring ? "?keyring=1" : ""}`, passphrase);
}

/** Replaces the passphrase of the library. */
function changePassphrase(passphrase: string): Promise<string> {
  return sendSecret("/library-passphrase", passphrase);
}

/** Holds the passphrase of encrypted sessions of AgentZero until the window closes. */
function sendAgentZeroKey(passphrase: string): Promise<string> {
  return sendSecret("/agentzero-key", passphrase);
}

/** Saves an MCP server, whose environment may contain tokens. */
async function sendServer(server: config.ServerEdit): Promise<void> {
  await sendSecret("/mcp-server", JSON.stringify(server));
}

/** The address of a blob's bytes: the source of an image, or the whole of a cut text. */
export function blobURL(hash: string): string {
  return `/blob/${encodeURIComponent(hash)}`;
}

/** What changed; Go defines the kinds. */
export type ChangeKind = `${change.Kind}`;
/** The value of Go's event: what is shown of it may be stale. */
export interface Change {
  /** Empty: not of one session. */
  sessionId: string;
  /** Empty unless the kind is "job". */
  jobId: string;
  kinds: ChangeKind[];
}
type ChangedListener = (change: Change) => void;
/** The menu requests an action by its name, such as "import" or "export". */
type CommandListener = (name: string) => void;
/** Files were dropped at a point of the window, in its own pixels. True: the handler took them, and no other handler is called. */
type DropListener = (paths: string[], at: { x: number; y: number }) => boolean;

const changedListeners = new Set<ChangedListener>();
const commandListeners = new Set<CommandListener>();
const dropListeners = new Set<DropListener>();

/** Connects the events; called once, by main.tsx. */
export function connectEvents(): void {
  runtime.EventsOn("changed", (change: Change) => {
    for (const listener of [...changedListeners]) listener(change);
  });
  runtime.EventsOn("command", (name: string) => {
    for (const listener of [...commandListeners]) listener(name);
  });
  runtime.OnFileDrop((x: number, y: number, paths: string[]) => {
    // The newest first: what is above the window takes what is dropped on it.
    for (const listener of [...dropListeners].reverse()) if (listener(paths, { x, y })) return;
  }, false);
}

function subscribe<L>(listeners: Set<L>, listener: L): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Calls back at every change until the returned function is called. */
export const onChanged = (listener: ChangedListener) => subscribe(changedListeners, listener);
/** Calls back at every menu command until the returned function is called. */
export const onCommand = (listener: CommandListener) => subscribe(commandListeners, listener);
/** Calls back with files dropped on the window until the returned function is called. */
export const onFileDrop = (listener: DropListener) => subscribe(dropListeners, listener);
