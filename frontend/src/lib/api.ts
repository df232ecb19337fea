// The only access to Go: nothing else imports the generated bindings or the Wails runtime.
//
// Every call rejects with an ApiError. One listener per event name lives as long as the page;
// callers subscribe to it here, because the runtime loses listeners that are removed in a callback.

import type { config, core, diff, launch, render, window as shell } from "@/wailsjs/go/models";
import * as go from "@/wailsjs/go/window/Bindings";
import * as runtime from "@/wailsjs/runtime/runtime";

export type Session = core.Session;
export type SessionFilter = core.SessionFilter;
export type SessionPage = shell.SessionPage;
export type Facets = core.Facets;
export type Facet = core.Facet;
export type Turn = core.Turn;
export type Branch = core.Branch;
export type Sibling = core.Sibling;
export type Hiding = core.Hiding;
export type HiddenTop = core.HiddenTop;
export type Link = core.Link;
export type GraftSource = core.Scion;
export type StartedRun = shell.StartedRun;
export type Comparison = core.Comparison;
export type Side = core.Side;
export type Pair = core.Pair;
export type Stretch = core.Stretch;
export type SearchQuery = core.SearchQuery;
export type Hit = core.Hit;
export type Found = core.Found;
export type HitCount = core.HitCount;
export type Stats = core.Stats;
export type Statistics = core.Statistics;
export type StatisticsQuery = core.StatisticsQuery;
export type StatisticsGroup = core.Group;
export type StatisticsCell = core.Cell;
export type ToolUse = core.ToolUse;
export type Report = core.Report;
export type Problem = core.Problem;
export type Progress = core.Progress;
export type WindowView = render.WindowView;
export type MessageView = render.MessageView;
export type Block = render.Block;
export type ToolDetail = render.ToolDetail;
export type FileDiff = render.FileDiff;
export type DiffLine = render.DiffLine;
export type WordDiff = render.WordDiff;
export type Span = diff.Span;
export type FileEffect = render.FileEffect;
export type FileEffects = render.FileEffects;
export type Effect = render.Effect;
export type FileComparison = render.FileComparison;
export type Location = shell.Location;
export type FoundSource = shell.FoundSource;
export type Followed = shell.Followed;
export type Job = shell.Job;
export type ExportRequest = shell.ExportRequest;
export type Settings = shell.Settings;
export type About = shell.About;
export type LibraryState = shell.LibraryState;
export type LocationRisk = shell.LocationRisk;
export type Backup = core.Backup;
export type Recovery = core.Recovery;
export type RecoveredSession = core.RecoveredSession;
export type RunRequest = launch.RunRequest;
export type Upload = launch.Upload;
export type LiveRun = shell.LiveRun;
export type Lane = shell.Lane;
export type LiveBlock = render.LiveBlock;
export type LiveCall = shell.LiveCall;
export type Unsaid = shell.Unsaid;
export type LiveQuestion = shell.LiveQuestion;
export type LiveAnswer = shell.LiveAnswer;
export type ComposerOptions = launch.ComposerOptions;
export type WorkspaceTrust = config.WorkspaceTrust;
export type Confirmation = launch.Confirmation;
export type ProviderState = launch.ProviderState;
export type AgentInfo = launch.AgentInfo;
export type ModelInfo = core.ModelInfo;
export type ModelCost = core.ModelCost;
export type Approval = core.Approval;
export type Prompt = shell.Prompt;
export type Sending = shell.Sending;
export type Answer = shell.Answer;

/** The error of every failed call; `code` is one of the codes in backend/core/error.go. */
export class ApiError extends Error {
  readonly code: string;
  readonly hint: string;
  constructor(code: string, message: string, hint = "") {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.hint = hint;
  }
}

/** Converts the rejection of a binding to an ApiError. */
export function toApiError(reason: unknown): ApiError {
  if (reason instanceof ApiError) return reason;
  if (typeof reason === "object" && reason !== null && "message" in reason) {
    const { code, message, hint } = reason as { code?: unknown; message: unknown; hint?: unknown };
    return new ApiError(
      typeof code === "string" ? code : "internal",
      String(message),
      typeof hint === "string" ? hint : "",
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
  listSessions: guarded(go.ListSessions),
  getFacets: guarded(go.GetFacets),
  getSession: guarded(go.GetSession),
  renameSession: guarded(go.RenameSession),
  pinSessions: guarded(go.PinSessions),
  archiveSessions: guarded(go.ArchiveSessions),
  trashSessions: guarded(go.TrashSessions),
  restoreSessions: guarded(go.RestoreSessions),
  purgeSessions: guarded(go.PurgeSessions),
  getWindow: guarded(go.GetWindow),
  getToolDetail: guarded(go.GetToolDetail),
  getMessageMarkdown: guarded(go.GetMessageMarkdown),
  getTurns: guarded(go.GetTurns),
  findTurns: guarded(go.FindTurns),
  findTurnsBeginning: guarded(go.FindTurnsBeginning),
  getSkeleton: guarded(fetchSkeleton),
  listSiblings: guarded(go.ListSiblings),
  locate: guarded(go.Locate),
  visit: guarded(go.Visit),
  moveHead: guarded(go.MoveHead),
  setLabel: guarded(go.SetLabel),
  setBookmark: guarded(go.SetBookmark),
  colorLabel: guarded(go.ColorLabel),
  setMain: guarded(go.SetMain),
  hideMessages: guarded(go.HideMessages),
  hideSiblings: guarded(go.HideSiblings),
  hideOthers: guarded(go.HideOthers),
  unhideMessages: guarded(go.UnhideMessages),
  listHidden: guarded(go.ListHidden),
  purgeHidden: guarded(go.PurgeHidden),
  listLinks: guarded(go.ListLinks),
  graft: guarded(go.Graft),
  split: guarded(go.Split),
  compare: guarded(go.Compare),
  compareWords: guarded(go.CompareWords),
  compareFiles: guarded(go.CompareFiles),
  compareFile: guarded(go.CompareFile),
  getAnswer: guarded(go.GetAnswer),
  search: guarded(go.Search),
  countHits: guarded(go.CountHits),
  getIndexing: guarded(go.GetIndexing),
  getStatistics: guarded(go.GetStatistics),
  exportStatistics: guarded(go.ExportStatistics),
  findSources: guarded(go.FindSources),
  getFollowed: guarded(go.GetFollowed),
  setFollowed: guarded(go.SetFollowed),
  chooseFiles: guarded(go.ChooseFiles),
  chooseFolder: guarded(go.ChooseFolder),
  chooseExportPath: guarded(go.ChooseExportPath),
  startImport: guarded(go.StartImport),
  startExport: guarded(go.StartExport),
  startBackup: guarded(go.StartBackup),
  startCheck: guarded(go.StartCheck),
  getLibraryState: guarded(go.GetLibraryState),
  getLocationRisk: guarded(go.GetLocationRisk),
  dismissLocationRisk: guarded(go.DismissLocationRisk),
  startRecovery: guarded(go.StartRecovery),
  restoreBackup: guarded(go.RestoreBackup),
  startNewLibrary: guarded(go.StartNewLibrary),
  startBackupNow: guarded(go.StartBackupNow),
  setDailyBackups: guarded(go.SetDailyBackups),
  getJob: guarded(go.GetJob),
  cancelJob: guarded(go.CancelJob),
  loadSamples: guarded(go.LoadSamples),
  getSettings: guarded(go.GetSettings),
  setSettings: guarded(go.SetSettings),
  getState: guarded(go.GetState),
  setState: guarded(go.SetState),
  getAbout: guarded(go.GetAbout),
  openURL: guarded(go.OpenURL),
  revealFile: guarded(go.RevealFile),
  getComposerOptions: guarded(go.GetComposerOptions),
  listConfirmations: guarded(go.ListConfirmations),
  trustWorkspace: guarded(go.TrustWorkspace),
  getPrompt: guarded(go.GetPrompt),
  getSending: guarded(go.GetSending),
  readImages: guarded(go.ReadImages),
  startRun: guarded(go.StartRun),
  startRuns: guarded(go.StartRuns),
  getRun: guarded(go.GetRun),
  stopRun: guarded(go.StopRun),
  steerRun: guarded(go.SteerRun),
  answerRun: guarded(go.AnswerRun),
  takeUnsaid: guarded(go.TakeUnsaid),
  setFocused: guarded(go.SetFocused),
  listApprovals: guarded(go.ListApprovals),
  forgetApproval: guarded(go.ForgetApproval),
  listModelCosts: guarded(go.ListModelCosts),
  listKeys: guarded(go.ListKeys),
  chooseWorkspace: guarded(go.ChooseWorkspace),
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

/** The address of a blob's bytes: the source of an image, or the whole of a cut text. */
export function blobURL(hash: string): string {
  return `/blob/${encodeURIComponent(hash)}`;
}

/** A thing changed: a session's id, "library" (any session came, went or changed), "run:ID" (of a session), "job:ID", "statistics" (more is counted), "following" (how far it is) or "settings". */
export type ChangedListener = (key: string, seq: number) => void;
/** The menu requests an action by its name, such as "import" or "export". */
export type CommandListener = (name: string) => void;
/** Files were dropped at a point of the window, in its own pixels. True: the handler took them, and no other handler is called. */
export type DropListener = (paths: string[], at: { x: number; y: number }) => boolean;

const changedListeners = new Set<ChangedListener>();
const commandListeners = new Set<CommandListener>();
const dropListeners = new Set<DropListener>();

/** Connects the events; called once, by main.tsx. */
export function connectEvents(): void {
  runtime.EventsOn("changed", (key: string, seq: number) => {
    for (const listener of [...changedListeners]) listener(key, seq);
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
