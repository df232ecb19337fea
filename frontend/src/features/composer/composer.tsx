import clsx from "clsx";
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { toastError } from "@/components/feedback/toast";
import { api } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import { usePathSize } from "@/lib/session/path-size";
import { useWindowState } from "@/lib/store/window-state";
import { CompactCommand } from "./compact-dialog";
import { Completions, useCompletions } from "./completion/completions";
import { ComposerBar } from "./composer-bar";
import { GrowingField } from "./draft/growing-field";
import { QuotedLine } from "./draft/quoted-line";
import { Thumbnails } from "./draft/thumbnails";
import { ReadOnlyLine } from "./read-only-line";
import { actOf } from "./send/composer-keys";
import { parentOf } from "./send/sending";
import { SendsLine } from "./send/sends-line";
import { StartFailure } from "./send/start-failure";
import { TaskLine } from "./send/task-line";
import { isOpen, TrustCard } from "./trust-card";
import { useAddingImages } from "./use-adding-images";
import { type ComposerProps, type Composing, useComposer } from "./use-composer";

/** The number of lines before the field scrolls. */
const mostLines = 10;

/** The built-in script. */
const demo = "script/demo";

/** The field for the user's messages to a session, with the choice of the model and its permissions. */
export function Composer(props: ComposerProps) {
  const { session, leafUid } = props;
  const composer = useComposer(props);
  const { task, changeChoice, options, settled, running, images, citations } = composer;
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const shownLeaf = parentOf(task, leafUid);
  const size = usePathSize(composer.sessionId, shownLeaf);
  const atHead = task.kind !== "say" || session === undefined || leafUid === session.headUid;

  const { isReadOnly, write } = useReadOnly(composer, field);
  useComposerCommands(composer, write);
  useFocusOnEdit(field, composer.edited);
  const { onFiles, onPaste, onDrop } = useAddingImages(box, composer.addImages);
  const completions = useCompletions({
    text: composer.text,
    setText: composer.setText,
    team: settled.team?.agents ?? [],
    commands: options.data?.commands ?? [],
  });
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (completions.onKeyDown(event)) return;
    const standing = { empty: composer.empty, running, editing: task.kind !== "say" };
    const act = actOf(event.nativeEvent, standing);
    if (act === undefined) return;
    event.preventDefault();
    composer[act]();
  };
  if (isReadOnly)
    return (
      <section ref={box} aria-label={t("Composer")} data-composer="" className="shrink-0 px-6 pb-1">
        <div className="measure-composer">
          <CompactCommand
            composer={composer}
            size={size}
            windowTokens={settled.info?.contextTokens ?? 0}
          />
          <ReadOnlyLine onWrite={write} />
        </div>
      </section>
    );
  return (
    <section
      ref={box}
      aria-label={t("Composer")}
      data-composer=""
      className="shrink-0 px-6 pt-1 pb-2"
    >
      <div className={clsx("measure-composer", session === undefined && "mx-auto")}>
        {options.data && isOpen(options.data.trust) && (
          <TrustCard trust={options.data.trust} onAnswered={() => void options.refetch()} />
        )}
        <CompactCommand
          composer={composer}
          size={size}
          windowTokens={settled.info?.contextTokens ?? 0}
        />
        {composer.starter.failure && (
          <StartFailure
            failure={composer.starter.failure}
            onTakeOver={composer.takeOver}
            onConfirm={composer.confirm}
            onDismiss={composer.starter.dismiss}
          />
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a drop has its keys in the button that chooses files */}
        <div
          onDrop={onDrop}
          className={clsx(
            "@container rounded-lg border bg-surface focus-within:outline",
            settled.mode === "yolo"
              ? "border-warn focus-within:outline-warn"
              : "border-border-strong focus-within:border-accent focus-within:outline-accent",
          )}
        >
          <TaskLine task={task} onCancel={composer.cancel} />
          {citations.length > 0 && (
            <QuotedLine citations={citations} onDrop={composer.dropCitation} />
          )}
          <Thumbnails images={images} onRemove={composer.removeImage} />
          <Completions {...completions} />
          <GrowingField
            ref={field}
            mostLines={mostLines}
            aria-label={labelOf(session === undefined, running)}
            placeholder={placeholderOf(session === undefined, running)}
            {...completions.fieldProps}
            dir="auto"
            spellCheck
            value={composer.text}
            // Not disabled, which would take the focus away.
            readOnly={composer.starter.starting}
            onChange={({ target }) => composer.setText(target.value)}
            onKeyDown={onKeyDown}
            onPaste={onPaste}
            className="mt-2.5 mb-1.5 block w-full resize-none bg-transparent px-3 text-xl outline-none read-only:text-text-2"
          />
          <ComposerBar
            composer={composer}
            isNew={session === undefined}
            onFiles={onFiles}
            onChosen={() => field.current?.focus()}
          />
        </div>
        <SendsLine
          session={session}
          atHead={atHead}
          size={size}
          settled={settled}
          hasImages={images.length > 0}
          beside={composer.beside}
          request={composer.request}
          error={options.error}
          isNone={options.data !== undefined && settled.model === ""}
          onModel={() => composer.setPicking(true)}
          onDemo={() => {
            composer.chooseModel(demo);
            field.current?.focus();
          }}
          onWorkspace={() => void chooseWorkspace(changeChoice)}
        />
      </div>
    </section>
  );
}

/** Whether a session is only read, as no model is reachable and nothing was begun; and the function that focuses the field all the same. */
function useReadOnly(composer: Composing, field: RefObject<HTMLTextAreaElement | null>) {
  const { sessionId, options, settled, task, empty, picking, running, starter } = composer;
  const [written, setWritten] = useState("");
  useEffect(() => {
    // The list of models gives the focus back to its button, which must still be there.
    if (picking) setWritten(sessionId);
  }, [picking, sessionId]);
  const hasNone = useHasNoModel(options.data && settled.model === "");
  const isTrustOpen = options.data !== undefined && isOpen(options.data.trust);
  const isBusy = running || picking || starter.starting || starter.failure !== undefined;
  const isReadOnly =
    sessionId !== "" &&
    hasNone &&
    !isTrustOpen &&
    !isBusy &&
    empty &&
    task.kind === "say" &&
    written !== sessionId;
  const write = () => {
    // The field must be drawn before it can take the focus.
    if (isReadOnly) flushSync(() => setWritten(sessionId));
    field.current?.focus();
  };
  return { isReadOnly, write };
}

/**
 * Reports whether no model can be used; undefined: not known yet. Until the providers have answered it is as it was last time, so that
 * the composer does not change its height while one begins to read.
 */
function useHasNoModel(hasNone: boolean | undefined): boolean {
  const [former, setFormer] = useWindowState<boolean>("hasNoModel", false);
  useEffect(() => {
    if (hasNone !== undefined && hasNone !== former) setFormer(hasNone);
  }, [hasNone, former, setFormer]);
  return hasNone ?? former;
}

function labelOf(isNew: boolean, running: boolean): string {
  if (running) return t("Message to the run");
  return isNew ? t("The task of a new session") : t("Message");
}

function placeholderOf(isNew: boolean, running: boolean): string {
  if (running) return t("Send a message: the model reads it after this step");
  return isNew ? t("Describe the task…") : t("Continue from here…");
}

async function chooseWorkspace(change: Composing["changeChoice"]): Promise<void> {
  try {
    const workspace = await api.chooseWorkspace();
    if (workspace !== "") change({ workspace });
  } catch (error) {
    toastError(t("Could not choose the folder"), error);
  }
}

function useComposerCommands(composer: Composing, focus: () => void) {
  useCommand("focus-composer", focus);
  useCommand("choose-model", () => composer.setPicking(true));
  useCommand("stop-run", composer.stop, {
    enabled: composer.running,
  });
}

/** Focuses the end of the field when a text was put into it. The count changes each time. */
function useFocusOnEdit(field: RefObject<HTMLTextAreaElement | null>, edited: number) {
  useEffect(() => {
    if (edited === 0) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollTo({ top: element.scrollHeight });
  }, [field, edited]);
}
