import { useCallback, useEffect, useRef, useState } from "react";
import type { ComposerOptions, RunRequest, Session, Upload } from "@/lib/api/api";
import { agreed } from "@/lib/api/confirmations";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import {
  type Choice,
  isScripted,
  noTeam,
  refOf,
  settle,
  useAdoptChoice,
  useChoice,
  useComposerOptions,
  useTeam,
} from "@/lib/session/choice";
import { isBudget } from "./choice/limits-popover";
import { setDraftImages, withCitations, withQuote } from "./draft/drafts";
import { useDraft } from "./draft/use-draft";
import { citeDraft, draftName, requestFor, type Task } from "./send/sending";
import { useStarter } from "./send/use-starter";
import { useComposeRequests } from "./use-compose-requests";
import { useSteering } from "./use-steering";

export interface ComposerProps {
  /** Undefined: a new session. */
  session: Session | undefined;
  /** The end of the path on screen. */
  leafUid: string;
  /** A run has begun: the window follows it. The value is the head when the run was requested; empty: it had none. */
  onStarted: (sessionId: string, headBefore: string) => void;
}

/** Each of them has its own cost and its own share of the provider's rate limit. */
const mostBeside = 7;

const say: Task = { kind: "say" };

/** Reports whether runs of a model are known to be free. */
function costsNothing(ref: string, options: ComposerOptions | undefined): boolean {
  const model = options?.models.find((one) => refOf(one) === ref);
  return isScripted(ref) || model?.local === true;
}

/** Moves the focus to the field, as sending starts a run that may cost money. The line above the field describes the run. */
function askToSend(): void {
  requestAnimationFrame(() => runCommand("focus-composer"));
}

/** The state and the actions of the composer. */
export function useComposer({ session, leafUid, onStarted }: ComposerProps) {
  const sessionId = session?.id ?? "";
  const [task, setTask] = useState<Task>(say);
  const draft = useDraft(draftName(sessionId, task));
  const { text, setText, setCitations, empty, clear } = draft;
  const [choice, changeChoice] = useChoice(sessionId);
  const adoptChoice = useAdoptChoice();
  const options = useComposerOptions(sessionId, choice.workspace);
  const settled = settle(choice, options.data, useTeam(sessionId, choice));
  // Until the options are known, sending finds out.
  const noModel = options.data !== undefined && settled.model === "";
  const { running, ...steering } = useSteering(sessionId);
  const besides = useBeside();
  const { beside, clearBeside } = besides;
  const [picking, setPicking] = useState(false);

  const onStart = (started: string, request: RunRequest) => {
    clearBeside();
    if (request.text !== "" || request.images.length > 0) clear();
    if (sessionId === "") adoptChoice(started);
    else if (settled.team) changeChoice(noTeam);
    setTask(say);
    onStarted(started, session?.headUid ?? "");
  };
  const { starter, begin, request, confirm, takeOver } = useLaunch({
    requestOf: (task, choice) => requestFor({ ...draft, session, leafUid, task, choice }),
    ...{ task, choice, lead: settled.model, beside, onStart },
  });

  const cannot = whyNot({
    empty: empty && task.kind !== "regenerate",
    editing: task.kind !== "say",
    running,
    noModel,
    budgetUsd: choice.budgetUsd,
  });
  const send = () => {
    if (starter.starting) return;
    if (cannot === "") running ? steering.send(draft) : void begin(task);
    // The card below the field explains what to do.
    else if (!empty && !running && noModel) setPicking(true);
  };
  const cancel = () => {
    if (task.kind === "edit" || task.kind === "cite") clear();
    setTask(say);
    clearBeside();
    setPicking(false);
  };

  /** The text of the message to edit, once its draft is shown. */
  const [edited, edit] = useEdited(draft.name, text, setText);
  useComposeRequests({
    sessionId,
    running,
    onQuote: (asked) => {
      setCitations((now) => withCitations(now, asked.cites));
      edit(draft.name, { text: withQuote(text, asked.text), images: draft.images, replaces: true });
    },
    onCite: (request) => {
      setTask({ kind: "cite", request });
      edit(citeDraft(request), { text: request.text, images: [] });
    },
    onEdit: (prompt, uid) => {
      setTask({ kind: "edit", prompt });
      edit(`${sessionId} ${uid}`, prompt);
    },
    onRegenerate: (task, choose) => {
      if (!choose && costsNothing(settled.model, options.data)) return void begin(task);
      setTask(task);
      choose ? setPicking(true) : askToSend();
    },
  });

  return {
    sessionId,
    task,
    text,
    setText,
    images: draft.images,
    citations: draft.citations,
    dropCitation: draft.dropCitation,
    addImages: draft.addImages,
    removeImage: draft.removeImage,
    choice,
    changeChoice,
    options,
    settled,
    running,
    queue: steering.queue,
    stopping: steering.stopping,
    starter,
    empty,
    cannot,
    send,
    stop: steering.stop,
    cancel,
    picking,
    setPicking: (open: boolean) => {
      setPicking(open);
      // With several models, Send applies the choice.
      if (!open && task.kind === "regenerate" && beside.length === 0) setTask(say);
    },
    chooseModel: (model: string) => {
      changeChoice({ model });
      setPicking(false);
      if (task.kind === "regenerate" && beside.length === 0) void begin(task, model);
    },
    /** The run that Send would start. */
    request,
    ...besides,
    edited,
    confirm,
    takeOver,
  };
}

interface Launching {
  requestOf: (task: Task, choice: Choice) => RunRequest;
  task: Task;
  choice: Choice;
  /** The model that leads the runs. */
  lead: string;
  beside: readonly string[];
  onStart: (sessionId: string, request: RunRequest) => void;
}

/** Starts runs, also again after a failure. */
function useLaunch({ requestOf, task, choice, lead, beside, onStart }: Launching) {
  const starter = useStarter();
  async function launch(request: RunRequest, models: readonly string[]) {
    const started = await starter.start(request, models);
    if (started !== undefined) onStart(started, request);
  }
  return {
    starter,
    begin: (task: Task, model = "") =>
      launch(
        requestOf(task, { ...choice, ...(model && { model }) }),
        beside.length > 0 ? [model || lead, ...beside] : [],
      ),
    request: () => requestOf(task, choice),
    /** Starts the run that failed to start, with what the user has agreed to. */
    confirm: () => {
      const { failure } = starter;
      if (failure) void launch(agreed(failure.request, failure.asked), failure.models);
    },
    takeOver: () => {
      const { failure } = starter;
      if (failure) void launch({ ...failure.request, takeOver: true }, failure.models);
    },
  };
}

/** Models that answer in parallel with the chosen one. */
function useBeside() {
  const [beside, setBeside] = useState<readonly string[]>([]);
  return {
    beside,
    addBeside: (model: string) => setBeside((now) => [...now, model].slice(0, mostBeside)),
    dropBeside: (at: number) => setBeside((now) => now.filter((_, index) => index !== at)),
    clearBeside: () => setBeside([]),
  };
}

export type Composing = ReturnType<typeof useComposer>;

/** Puts a text, such as that of a message, into its draft when the draft is shown, unless it was edited before. The count increases each time. */
function useEdited(draft: string, text: string, setText: (text: string) => void) {
  const waiting = useRef<{ draft: string; written: Written } | undefined>(undefined);
  const [count, setCount] = useState(0);
  useEffect(() => {
    const { current } = waiting;
    if (current?.draft !== draft) return;
    waiting.current = undefined;
    if (text === "" || current.written.replaces) {
      setText(current.written.text);
      setDraftImages(draft, () => current.written.images);
    }
    setCount((now) => now + 1);
  });
  const edit = useCallback((draft: string, written: Written) => {
    waiting.current = { draft, written };
    setCount((now) => now + 1);
  }, []);
  return [count, edit] as const;
}

interface Written {
  text: string;
  images: readonly Upload[];
  /** The draft has earlier text. */
  replaces?: boolean;
}

interface Standing {
  empty: boolean;
  editing: boolean;
  running: boolean;
  noModel: boolean;
  budgetUsd: string;
}

/** Why nothing can be sent now; empty: sending is possible. */
function whyNot({ empty, editing, running, noModel, budgetUsd }: Standing): string {
  if (running && editing) return t("The session is running");
  if (empty) return t("Nothing to send: write a message first");
  if (!running && noModel) return t("No model is reachable: choose one");
  if (!running && !isBudget(budgetUsd)) return t("The budget must be a number such as 1.50");
  return "";
}
