import clsx from "clsx";
import { Command } from "cmdk";
import { Check, ChevronDown, CircleAlert, Plus, Search } from "lucide-react";
import { Popover } from "radix-ui";
import { useRef, useState } from "react";
import { Spinner } from "@/components/feedback/spinner";
import { Button } from "@/components/form/button";
import { Chip } from "@/components/form/chip";
import { PopoverCard } from "@/components/overlay/popover";
import { Rich } from "@/components/text/rich";
import { type ComposerOptions, type ModelInfo, toApiError } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { isScripted, refOf } from "@/lib/session/choice";
import { contextWords, groupModels, matchModels, priceWords, typedReference } from "./models";
import { Unreachable } from "./unreachable";

interface ModelPickerProps {
  /** PROVIDER/MODEL; empty: no model is reachable. */
  model: string;
  options: ComposerOptions | undefined;
  isFetching: boolean;
  error: unknown;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Requests the models of all providers again. */
  onLook: () => void;
  onChoose: (model: string) => void;
  /** It closes after a choice: the focus moves on from there. */
  onChosen: () => void;
  /** Models that answer in parallel, in order; a model may be listed several times. */
  beside: readonly string[];
  onAdd: (model: string) => void;
  onDrop: (at: number) => void;
}

const itemLook =
  "flex min-h-8 cursor-default items-center gap-2 rounded px-2 py-1 data-[selected=true]:bg-accent-soft";
const groupLook =
  "[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-text-3";

/** The button with the model's name, and the list that it opens. */
export function ModelPicker(props: ModelPickerProps) {
  const { model, open, onOpen, isFetching, onChosen, beside } = props;
  const chosen = useRef(false);
  const onChoose = (model: string) => {
    chosen.current = true;
    props.onChoose(model);
  };
  const [provider, name] = divide(model);
  return (
    <Popover.Root open={open} onOpenChange={onOpen}>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={t("Model: {{names}}", { names: [model || t("none"), ...beside].join(", ") })}
          className="inline-flex h-7 min-w-28 shrink items-center gap-1 rounded border border-border bg-surface px-2.5 hover:bg-sunken data-[state=open]:bg-sunken"
        >
          {model === "" ? (
            <span className={clsx("truncate", isFetching ? "text-text-3" : "text-warn")}>
              {isFetching ? t("Looking for models…") : t("No model")}
            </span>
          ) : (
            <span className="truncate" title={model}>
              {name}
            </span>
          )}
          {isScripted(model) && <Mark warns>{t("scripted")}</Mark>}
          {beside.length > 0 && (
            <span
              className="shrink-0 rounded-full bg-accent-soft px-1.5 text-sm"
              title={beside.join("\n")}
            >
              +{beside.length}
            </span>
          )}
          {provider !== "" && <span className="sr-only">{t("of {{provider}}", { provider })}</span>}
          <ChevronDown size={12} className="text-text-3" aria-hidden="true" />
        </button>
      </Popover.Trigger>
      <PopoverCard
        side="top"
        align="start"
        onCloseAutoFocus={(event) => {
          if (!chosen.current) return;
          chosen.current = false;
          event.preventDefault();
          onChosen();
        }}
        label={t("Choose a model")}
        className="flex max-h-[min(520px,calc(var(--radix-popper-available-height)/var(--popper-scale,1)))] w-[min(480px,calc(100vw-32px))] flex-col overflow-hidden"
      >
        <Models {...props} onChoose={onChoose} />
      </PopoverCard>
    </Popover.Root>
  );
}

/** The provider and the displayed name of the model: for a script in a file, its file name. */
function divide(model: string): [string, string] {
  const at = model.indexOf("/");
  if (at < 0) return ["", model];
  const name = model.slice(at + 1);
  return [model.slice(0, at), isScripted(model) ? baseName(name) : name];
}

/** A word beside a model. */
function Mark({ warns, children }: { warns?: boolean; children: string }) {
  return (
    <span
      className={`shrink-0 rounded-full border border-border px-1.5 text-xs leading-4 ${warns ? "text-warn" : "text-text-3"}`}
    >
      {children}
    </span>
  );
}

function Models(props: ModelPickerProps) {
  const { model, options, isFetching, error, onOpen, onChoose, beside, onAdd, onDrop } = props;
  const [typed, setTyped] = useState("");
  const [marked, setMarked] = useState("");
  const groups = groupModels(matchModels(options?.models ?? [], typed));
  const reference = typedReference(typed);
  const unlisted = reference !== "" && !options?.models.some((one) => refOf(one) === reference);
  const onlyScripts = (options?.models ?? []).every((one) => isScripted(refOf(one)));
  return (
    <Command
      label={t("Models")}
      shouldFilter={false}
      loop
      value={marked}
      onValueChange={setMarked}
      // The key belongs to the focused button, not to the marked line.
      onKeyDownCapture={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLButtonElement)
          event.stopPropagation();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || !event.shiftKey || marked === "" || model === "") return;
        event.preventDefault();
        onAdd(marked.replace(/^use /, ""));
      }}
      className="flex min-h-0 flex-col"
    >
      <div className="flex h-10 shrink-0 items-center gap-2 border-b border-border px-3">
        <Search size={14} className="text-text-3" aria-hidden="true" />
        <Command.Input
          autoFocus
          value={typed}
          onValueChange={setTyped}
          placeholder={t("Find a model, or type PROVIDER/MODEL")}
          className="h-full min-w-0 flex-1 bg-transparent outline-none"
        />
        {isFetching && <Spinner label={t("Looking for models")} />}
      </div>
      {model !== "" && <SideBySide model={model} beside={beside} onDrop={onDrop} />}
      <div className="min-h-0 flex-1 overflow-y-auto p-1">
        {error !== null && error !== undefined && (
          <p role="alert" className="flex gap-2 px-2 py-2 text-error">
            <CircleAlert size={16} className="shrink-0" aria-hidden="true" />
            {toApiError(error).message}
          </p>
        )}
        {options && onlyScripts && typed === "" && (
          <NoModel isLooking={isFetching} onLook={props.onLook} onClose={() => onOpen(false)} />
        )}
        <Command.List>
          {groups.map((group) => (
            <Command.Group
              key={group.provider}
              heading={headingOf(group.provider)}
              className={groupLook}
            >
              {group.models.map((info) => (
                <ModelItem
                  key={refOf(info)}
                  info={info}
                  chosen={refOf(info) === model}
                  onChoose={onChoose}
                  onAdd={model === "" ? undefined : onAdd}
                />
              ))}
            </Command.Group>
          ))}
          {unlisted && (
            <Command.Item
              value={`use ${reference}`}
              className={itemLook}
              onSelect={() => onChoose(reference)}
            >
              <span className="min-w-0 flex-1 truncate">
                <Rich
                  text={t("Use <model/>")}
                  parts={{ model: () => <span className="font-mono">{reference}</span> }}
                />
              </span>
              {model !== "" && <AskToo reference={reference} onAdd={onAdd} />}
            </Command.Item>
          )}
        </Command.List>
        {groups.length === 0 && !unlisted && options && (
          <p className="px-2 py-3 text-text-3">{t("No model matches this name.")}</p>
        )}
        {options && typed === "" && <Unreachable problems={options.problems} open={onlyScripts} />}
      </div>
    </Command>
  );
}

function headingOf(provider: string): string {
  return isScripted(`${provider}/`)
    ? t("{{provider}}: plays a recorded script, no model is called", { provider })
    : provider;
}

interface NoModelProps {
  isLooking: boolean;
  onLook: () => void;
  onClose: () => void;
}

/** The options if no model can be used. */
function NoModel({ isLooking, onLook, onClose }: NoModelProps) {
  const showKeys = () => {
    onClose();
    // After the focus has returned: the settings take it from there.
    requestAnimationFrame(() => runCommand("model-keys"));
  };
  return (
    <div className="mx-1 my-1 rounded bg-sunken px-3 py-2 text-text-2">
      <p>
        <span className="font-semibold text-text">{t("No model is reachable yet.")}</span>{" "}
        <Rich
          text={t(
            "Add a key, or start a model server such as Ollama on this machine, and look again. The list below shows what was tried. The script <script/> shows how everything works without a model.",
          )}
          parts={{ script: () => <span className="font-mono">demo</span> }}
        />
      </p>
      <div className="mt-2 flex gap-2">
        <Button onClick={showKeys}>{t("Model keys…")}</Button>
        <Button disabled={isLooking} onClick={onLook}>
          {t("Look again")}
        </Button>
      </div>
    </div>
  );
}

interface AskTooProps {
  reference: string;
  onAdd: (model: string) => void;
}

/** Adds a model to those that answer; the line itself chooses it alone. For the mouse only: a list entry cannot contain a button, and the key is Shift+Enter. */
function AskToo({ reference, onAdd }: AskTooProps) {
  return (
    <span
      aria-hidden="true"
      title={t("Ask {{model}} too, side by side", { model: reference })}
      className="flex size-6 shrink-0 items-center justify-center rounded text-text-3 hover:bg-sunken hover:text-text"
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => {
        event.stopPropagation();
        onAdd(reference);
      }}
    >
      <Plus size={14} />
    </span>
  );
}

interface SideBySideProps {
  model: string;
  beside: readonly string[];
  onDrop: (at: number) => void;
}

/** The models that will answer in parallel, if there are several, and a way to add one more. */
function SideBySide({ model, beside, onDrop }: SideBySideProps) {
  if (beside.length === 0)
    return (
      <p className="border-b border-border px-3 py-1.5 text-sm text-text-3">
        {t("+ or Shift+Enter adds a model that answers side by side, also the same one again")}
      </p>
    );
  return (
    <p className="flex flex-wrap items-center gap-1.5 border-b border-border px-3 py-1.5 text-sm text-text-2">
      {t("Side by side:")}
      <span
        className="max-w-48 truncate"
        title={t("{{model}}: leads, and may change files", { model })}
      >
        {divide(model)[1]}
      </span>
      {beside.map((one, at) => (
        <Chip
          // The same model may be there twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: only the position distinguishes them
          key={at}
          removable
          title={t("{{model}}: only reads", { model: one })}
          aria-label={t("Do not ask {{model}} too", { model: one })}
          onClick={() => onDrop(at)}
        >
          {divide(one)[1]}
        </Chip>
      ))}
    </p>
  );
}

interface ModelItemProps {
  info: ModelInfo;
  chosen: boolean;
  onChoose: (model: string) => void;
  /** Undefined: no model yet that it could answer in parallel with. */
  onAdd: ((model: string) => void) | undefined;
}

function ModelItem({ info, chosen, onChoose, onAdd }: ModelItemProps) {
  const reference = refOf(info);
  const scripted = isScripted(reference);
  return (
    <Command.Item value={reference} className={itemLook} onSelect={() => onChoose(reference)}>
      <span className="flex w-4 shrink-0 justify-center">
        {chosen && <Check size={16} aria-label={t("chosen")} />}
      </span>
      <span className="min-w-0 flex-1 truncate" title={reference}>
        {info.id}
        {info.name !== "" && info.name !== info.id && (
          <span className="ms-2 text-sm text-text-3">{info.name}</span>
        )}
      </span>
      {scripted && <Mark warns>{t("scripted")}</Mark>}
      {info.local && !scripted && <Mark>{t("local")}</Mark>}
      {!info.tools && !scripted && <Mark>{t("no tools")}</Mark>}
      <span className="w-12 shrink-0 text-end text-sm text-text-3" title={t("Tokens of context")}>
        {contextWords(info)}
      </span>
      <span
        className="w-24 shrink-0 text-end text-sm text-text-3"
        title={t("Price of a million tokens, in and out")}
      >
        {priceWords(info)}
      </span>
      {onAdd && <AskToo reference={reference} onAdd={onAdd} />}
    </Command.Item>
  );
}
