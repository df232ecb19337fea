import clsx from "clsx";
import { ImagePlus } from "lucide-react";
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { Chip } from "@/components/chip";
import { IconButton } from "@/components/icon-button";
import { Menu } from "@/components/menu";
import { toastError } from "@/components/toast";
import { api, onFileDrop } from "@/lib/api";
import { catalogMs } from "@/lib/choice";
import { useCommand } from "@/lib/commands";
import { usePathSize } from "@/lib/path-size";
import { LimitsPopover } from "./choice/limits-popover";
import { ModePicker } from "./choice/mode-picker";
import { ModelPicker } from "./choice/model-picker";
import { GrowingField } from "./draft/growing-field";
import { imageFiles, imageTypes, isImagePath, toUpload } from "./draft/images";
import { QuotedLine } from "./draft/quoted-line";
import { Thumbnails } from "./draft/thumbnails";
import { actOf } from "./send/composer-keys";
import { SendButtons } from "./send/send-buttons";
import { parentOf } from "./send/sending";
import { SendsLine } from "./send/sends-line";
import { StartFailure } from "./send/start-failure";
import { TaskLine } from "./send/task-line";
import { isOpen, TrustCard } from "./trust-card";
import { type ComposerProps, useComposer } from "./use-composer";

/** The number of lines before the field scrolls. */
const mostLines = 10;

/** The built-in script. */
const demo = "script/demo";

/** The field for the user's messages to a session, with the choice of the model and its permissions. */
export function Composer(props: ComposerProps) {
  const { session, leafUid } = props;
  const composer = useComposer(props);
  const { task, choice, changeChoice, options, settled, running, images, citations } = composer;
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const shownLeaf = parentOf(task, leafUid);
  const size = usePathSize(composer.sessionId, shownLeaf);
  const atHead = task.kind !== "say" || session === undefined || leafUid === session.headUid;

  useComposerCommands(composer, () => field.current?.focus());
  useEffect(() => {
    if (composer.edited === 0) return;
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
    element?.scrollTo({ top: element.scrollHeight });
  }, [composer.edited]);

  const { addImages } = composer;
  const addFiles = async (files: readonly File[]) => {
    try {
      addImages(await Promise.all(files.map(toUpload)));
    } catch (error) {
      toastError("The image could not be added", error);
    }
  };
  useEffect(
    () =>
      onFileDrop((paths, at) => {
        const target = document.elementFromPoint(at.x, at.y);
        const pictures = paths.filter(isImagePath);
        const isOver = target !== null && box.current?.contains(target) === true;
        if (pictures.length === 0 || (!isOver && pictures.length < paths.length)) return false;
        api
          .readImages(pictures)
          .then(addImages)
          .catch((error) => toastError("The image could not be added", error));
        return true;
      }),
    [addImages],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const standing = { empty: composer.empty, running, editing: task.kind !== "say" };
    const act = actOf(event.nativeEvent, standing);
    if (act === undefined) return;
    event.preventDefault();
    composer[act]();
  };
  const onPaste = (event: ClipboardEvent) => {
    const files = imageFiles(event.clipboardData.files);
    if (files.length === 0) return;
    event.preventDefault();
    void addFiles(files);
  };
  const onDrop = (event: DragEvent) => {
    const files = imageFiles(event.dataTransfer.files);
    if (files.length === 0) return;
    event.preventDefault();
    void addFiles(files);
  };

  return (
    <section
      ref={box}
      aria-label="Say something"
      data-composer=""
      className="shrink-0 px-6 pt-1 pb-2"
    >
      <div className={clsx("measure-composer", session === undefined && "mx-auto")}>
        {options.data && isOpen(options.data.trust) && (
          <TrustCard trust={options.data.trust} onAnswered={() => void options.refetch()} />
        )}
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
          <GrowingField
            ref={field}
            mostLines={mostLines}
            aria-label={labelOf(session === undefined, running)}
            placeholder={placeholderOf(session === undefined, running)}
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
          <div className="flex items-center gap-2 px-2 pb-2 tight:flex-wrap @max-[440px]:flex-wrap">
            <AgentPicker composer={composer} />
            <ModelPicker
              model={settled.model}
              options={options.data}
              isFetching={options.isFetching}
              error={options.error}
              open={composer.picking}
              onOpen={(open) => {
                composer.setPicking(open);
                if (open && Date.now() - options.dataUpdatedAt > catalogMs) void options.refetch();
              }}
              onLook={() => void options.refetch()}
              onChoose={composer.chooseModel}
              onChosen={() => field.current?.focus()}
              beside={composer.beside}
              onAdd={composer.addBeside}
              onDrop={composer.dropBeside}
            />
            <ModePicker
              mode={settled.mode}
              sandbox={options.data?.sandbox ?? ""}
              onChoose={(mode) => changeChoice({ mode })}
            />
            <LimitsPopover choice={choice} info={settled.info} onChange={changeChoice} />
            <IconButton
              icon={ImagePlus}
              label="Add images"
              side="top"
              onClick={() => chooser.current?.click()}
            />
            <input
              ref={chooser}
              type="file"
              hidden
              multiple
              accept={imageTypes}
              onChange={({ target }) => {
                void addFiles(imageFiles(target.files ?? []));
                target.value = "";
              }}
            />
            <span className="flex-1" />
            <SendButtons
              isNew={session === undefined}
              running={running}
              stopping={composer.stopping}
              starting={composer.starter.starting}
              empty={composer.empty && task.kind !== "regenerate"}
              cannot={composer.cannot}
              onSend={composer.send}
              onStop={composer.stop}
            />
          </div>
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
          onWorkspace={() => {
            api
              .chooseWorkspace()
              .then((workspace) => workspace !== "" && changeChoice({ workspace }))
              .catch((error) => toastError("The folder could not be chosen", error));
          }}
        />
      </div>
    </section>
  );
}

function labelOf(isNew: boolean, running: boolean): string {
  if (running) return "Say something to the run";
  return isNew ? "The task of a new session" : "Message";
}

function placeholderOf(isNew: boolean, running: boolean): string {
  if (running) return "Say something: it is heard after this step";
  return isNew ? "What is to be done?" : "Continue from here…";
}

type Composing = ReturnType<typeof useComposer>;

function AgentPicker({ composer }: { composer: Composing }) {
  const { options, settled, changeChoice } = composer;
  const agents = options.data?.agents ?? [];
  return (
    <Menu
      side="top"
      label="Agent"
      entries={[
        { title: "Agent", heading: true },
        ...agents.map(({ name, description, model }) => ({
          title: name,
          detail: [description, model].filter(Boolean).join(" · "),
          checked: name === settled.agent,
          // An agent brings its own mode and model.
          onSelect: () => changeChoice({ agent: name, mode: "" }),
        })),
      ]}
      trigger={
        <Chip
          menu
          aria-label={`Agent: ${settled.agent || "none"}`}
          className="!h-7 !rounded !border-border !bg-surface !px-2.5 !text-base !text-text hover:!bg-sunken"
        >
          {settled.agent || "agent"}
        </Chip>
      }
    />
  );
}

function useComposerCommands(composer: Composing, focus: () => void) {
  useCommand("focus-composer", focus);
  useCommand("choose-model", () => composer.setPicking(true));
  useCommand("stop-run", composer.stop, {
    enabled: composer.running,
  });
}
