import { useCallback, useEffect, useRef, useState } from "react";
import { toastError } from "@/components/toast";
import { api, type Prompt, type RunRequest, type Session, type Upload } from "@/lib/api";
import { type Choice, settle, useAdoptChoice, useChoice, useComposerOptions } from "@/lib/choice";
import { type ComposeRequest, onCompose } from "@/lib/compose";
import { agreed } from "@/lib/confirmations";
import { useLivePart } from "@/lib/runs";
import { isBudget } from "./choice/limits-popover";
import {
  giveBack,
  setDraftImages,
  useDraftCitations,
  useDraftImages,
  useDraftText,
  withCitations,
  withImages,
  withQuote,
} from "./draft/drafts";
import { citeDraft, draftName, requestFor, type Task } from "./send/sending";
import { useStarter } from "./send/use-starter";

export interface ComposerProps {
  /** Undefined: a new session. */
  session: Session | undefined;
  /** The end of the path on screen. */
  leafUid: string;
  /** A run has begun: the window follows it. The value is the head when the run was requested; empty: there was none. */
  onStarted: (sessionId: string, headBefore: string) => void;
}

/** Each of them has its own cost and its own share of the provider's rate limit. */
const mostBeside = 7;

const say: Task = { kind: "say" };

/** The state and the actions of the composer. */
export function useComposer({ session, leafUid, onStarted }: ComposerProps) {
  const sessionId = session?.id ?? "";
  const [task, setTask] = useState<Task>(say);
  const draft = draftName(sessionId, task);
  const [text, writeText] = useDraftText(draft);
  const [citations, setCitations] = useDraftCitations(draft);
  const setText = (text: string) => {
    writeText(text);
    if (text.trim() === "") setCitations(() => []);
  };
  const images = useDraftImages(draft);
  const [choice, changeChoice] = useChoice(sessionId);
  const adoptChoice = useAdoptChoice();
  const options = useComposerOptions(sessionId, choice.workspace);
  const settled = settle(choice, options.data);
  // Until the options are known, sending finds out.
  const noModel = options.data !== undefined && settled.model === "";
  const running = useLivePart(sessionId, (live) => live?.running ?? false);
  const runId = useLivePart(sessionId, (live) => live?.run.id ?? "");
  const review = useLivePart(sessionId, (live) => {
    const [asked] = live?.questions ?? [];
    return asked?.kind === "review" ? asked.id : undefined;
  });
  /** Models that answer in parallel with the chosen one. */
  const [beside, setBeside] = useState<readonly string[]>([]);
  const starter = useStarter();
  const [stopping, setStopping] = useState(false);
  const [picking, setPicking] = useState(false);
  useEffect(() => {
    if (!running) setStopping(false);
  }, [running]);

  const empty = text.trim() === "" && images.length === 0;
  const clear = () => {
    setText("");
    setDraftImages(draft, () => []);
  };

  const requestOf = (task: Task, choice: Choice) =>
    requestFor({ session, leafUid, task, text, images, citations, choice });

  async function begin(task: Task, model = "") {
    const asked = { ...choice, ...(model && { model }) };
    const lead = model || settled.model;
    const models = beside.length > 0 ? [lead, ...beside] : [];
    await launch(requestOf(task, asked), models);
  }

  async function launch(request: RunRequest, models: readonly string[]) {
    const started = await starter.start(request, models);
    if (started === undefined) return;
    setBeside([]);
    if (request.text !== "" || request.images.length > 0) clear();
    if (sessionId === "") adoptChoice(started);
    setTask(say);
    onStarted(started, session?.headUid ?? "");
  }

  /** Sends a message to an active run: the model receives it after its next step, or as the answer that the run waits for. */
  async function tell() {
    const said = text;
    const quoted = citations;
    const cites = quoted.map(({ uid }) => uid);
    try {
      if (images.length > 0) throw new Error("images can be sent when the run has ended");
      setText("");
      if (review === undefined) await api.steerRun(sessionId, runId, said, cites);
      else
        await api.answerRun(sessionId, runId, review, {
          allow: true,
          scope: "once",
          wide: false,
          text: said,
          cites,
        });
    } catch (error) {
      giveBack(sessionId, said, quoted);
      toastError("It could not be said", error);
    }
  }

  const cannot = whyNot({
    empty: empty && task.kind !== "regenerate",
    editing: task.kind !== "say",
    running,
    noModel,
    budgetUsd: choice.budgetUsd,
  });
  const send = () => {
    if (starter.starting) return;
    if (cannot === "") void (running ? tell() : begin(task));
    // The card below the field explains what to do.
    else if (!empty && !running && noModel) setPicking(true);
  };
  const stop = () => {
    if (!running || stopping) return;
    setStopping(true);
    api.stopRun(sessionId, runId).catch((error) => {
      setStopping(false);
      toastError("It could not be stopped", error);
    });
  };
  const cancel = () => {
    if (task.kind === "edit" || task.kind === "cite") clear();
    setTask(say);
    setBeside([]);
    setPicking(false);
  };

  /** A message is to be edited or answered again, or the prompt is about other messages. */
  async function take(asked: ComposeRequest) {
    if (asked.kind === "quote") {
      setCitations((now) => withCitations(now, asked.cites));
      edit(draft, { text: withQuote(text, asked.text), images, replaces: true });
      return;
    }
    if (running) return toastError("The session is running", "stop it, or wait until it is done");
    if (asked.kind === "cite") {
      setTask({ kind: "cite", request: asked });
      edit(citeDraft(asked), { text: asked.text, images: [] });
      return;
    }
    const { kind, uid } = asked;
    try {
      const prompt: Prompt = await api.getPrompt(sessionId, uid);
      if (kind === "edit") {
        setTask({ kind: "edit", prompt });
        edit(`${sessionId} ${uid}`, prompt);
      } else if (kind === "regenerate") await begin({ kind, prompt });
      else {
        setTask({ kind: "regenerate", prompt });
        setPicking(true);
      }
    } catch (error) {
      toastError("The message could not be read", error);
    }
  }
  /** The text of the message to edit, once its draft is shown. */
  const [edited, edit] = useEdited(draft, text, setText);
  const newest = useRef(take);
  newest.current = take;
  useEffect(
    () =>
      onCompose((request) => {
        if (request.sessionId === sessionId) void newest.current(request);
      }),
    [sessionId],
  );

  return {
    sessionId,
    task,
    text,
    setText,
    images,
    citations,
    dropCitation: (uid: string) => setCitations((now) => now.filter((one) => one.uid !== uid)),
    addImages: useCallback(
      (more: readonly Upload[]) => setDraftImages(draft, (now) => withImages(now, more)),
      [draft],
    ),
    removeImage: (at: number) =>
      setDraftImages(draft, (now) => now.filter((_, index) => index !== at)),
    choice,
    changeChoice,
    options,
    settled,
    running,
    stopping,
    starter,
    empty,
    cannot,
    send,
    stop,
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
    request: () => requestOf(task, choice),
    beside,
    addBeside: (model: string) => setBeside((now) => [...now, model].slice(0, mostBeside)),
    dropBeside: (at: number) => setBeside((now) => now.filter((_, index) => index !== at)),
    edited,
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
  if (running && editing) return "The session is running";
  if (empty) return "There is nothing to send";
  if (!running && noModel) return "No model is reachable: choose one";
  if (!running && !isBudget(budgetUsd)) return "The budget is no number";
  return "";
}
