import clsx from "clsx";
import { ChevronUp, Folder, TriangleAlert } from "lucide-react";
import { Popover } from "radix-ui";
import { type ReactNode, useState } from "react";
import { PopoverCard } from "@/components/overlay/popover";
import { ContextGauge, isFilling } from "@/components/session/context-gauge";
import { Tooltip } from "@/components/text/tooltip";
import { type RunRequest, type Session, toApiError } from "@/lib/api/api";
import { baseName, formatCount, formatTokens } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { commandSpec, runCommand, useCommand } from "@/lib/keys/commands";
import { isScripted, type Settled } from "@/lib/session/choice";
import type { PathSize } from "@/lib/session/path-size";
import { SendingList } from "./sending-list";

interface SendsLineProps {
  session: Session | undefined;
  /** The path on screen belongs to the session. */
  atHead: boolean;
  size: PathSize | undefined;
  settled: Settled;
  hasImages: boolean;
  /** Models that are asked in parallel with the chosen one. */
  beside: readonly string[];
  /** The run that Send would start. */
  request: () => RunRequest;
  /** Why the options for a run are unknown. */
  error: unknown;
  /** No model is reachable. */
  isNone: boolean;
  onModel: () => void;
  onDemo: () => void;
  onWorkspace: () => void;
}

/** One quiet line: where the agent works, and what the model is sent. */
export function SendsLine(props: SendsLineProps) {
  const { session, atHead, size, settled, hasImages, beside } = props;
  const window = settled.info?.contextTokens ?? 0;
  const full = size !== undefined && window > 0 && size.tokens > window;
  return (
    <p className="flex h-6 min-w-0 items-center gap-3 text-sm text-text-3">
      <Tooltip
        text={t("{{workspace}}: choose another", {
          workspace: settled.workspace || t("A folder of its own"),
        })}
        side="top"
      >
        <button
          type="button"
          aria-label={t("Workspace: {{workspace}}", {
            workspace: settled.workspace || t("a folder of its own"),
          })}
          onClick={props.onWorkspace}
          className="-ms-1 inline-flex h-5 max-w-[40%] min-w-0 shrink items-center gap-1 rounded px-1 hover:bg-sunken hover:text-text"
        >
          <Folder size={12} aria-hidden="true" />
          <span className="truncate">{baseName(settled.workspace) || t("workspace")}</span>
        </button>
      </Tooltip>
      {props.error !== null && props.error !== undefined && (
        <Warning text={toApiError(props.error).message} />
      )}
      {props.isNone && <NoModel onModel={props.onModel} onDemo={props.onDemo} />}
      {!props.isNone && (
        <SendingButton request={props.request} beside={beside}>
          {session && size && size.length > 0 ? (
            <span className="flex min-w-0 items-center gap-1.5" title={countWords(size)}>
              <ContextGauge tokens={size.tokens} windowTokens={window} />
              <span className="min-w-0 truncate">
                {!atHead && (
                  <span className="text-accent">
                    {t("continues from what is shown, not from the current position")} ·{" "}
                  </span>
                )}
                {plural(size.length, "sends {{count}} message", "sends {{count}} messages")}
                {size.tokens > 0 && ` · ${tokenWords(size, window)}`}
              </span>
            </span>
          ) : (
            <span className="min-w-0 truncate">{t("what is sent")}</span>
          )}
        </SendingButton>
      )}
      {session && size && isFilling(size.tokens, window) && (
        <button
          type="button"
          className="shrink-0 rounded px-1 text-text underline underline-offset-2 hover:bg-sunken"
          onClick={() => runCommand("compact-context")}
        >
          {commandSpec("compact-context").title}
        </button>
      )}
      {beside.length > 0 && (
        <span
          className="shrink-0 text-accent"
          title={t(
            "All models share one workspace: the first one has the chosen permissions, the others only read",
          )}
        >
          {t("asks {{count}} models side by side", { count: 1 + beside.length })}
        </span>
      )}
      {isScripted(settled.model) && (
        <span className="shrink-0">{t("scripted: no model is called")}</span>
      )}
      {full && <Warning text={t("longer than the model's context window")} />}
      {hasImages && settled.info?.images === false && (
        <Warning text={t("this model does not accept images")} />
      )}
    </p>
  );
}

interface SendingButtonProps {
  request: () => RunRequest;
  beside: readonly string[];
  children: ReactNode;
}

/** Opens the list of what is sent. */
function SendingButton({ request, beside, children }: SendingButtonProps) {
  const [asked, setAsked] = useState<RunRequest>();
  const toggle = (open: boolean) => setAsked(open ? request() : undefined);
  useCommand("show-sending", () => toggle(asked === undefined));
  return (
    <Popover.Root open={asked !== undefined} onOpenChange={toggle}>
      <Popover.Trigger
        className={clsx(
          "inline-flex h-5 min-w-0 items-center gap-1 rounded px-1 hover:bg-sunken hover:text-text",
          asked && "bg-sunken text-text",
        )}
      >
        {children}
        <ChevronUp size={12} className="shrink-0" aria-hidden="true" />
      </Popover.Trigger>
      <PopoverCard
        side="top"
        align="start"
        label={t("What is sent to the model")}
        className="max-h-[var(--radix-popover-content-available-height)] w-[min(32rem,calc(100vw-1rem))] overflow-auto p-4"
      >
        {asked && <SendingList request={asked} beside={beside} />}
      </PopoverCard>
    </Popover.Root>
  );
}

/** How many tokens a path has, and how many the model's window (0: unknown): "~18,430 of 200,000 tok". */
export function tokenWords({ tokens, counted }: PathSize, window: number): string {
  const guess = counted ? "" : "~";
  if (window <= 0) return `${guess}${formatTokens(tokens)}`;
  return t("{{tokens}} of {{window}}", {
    tokens: `${guess}${formatCount(tokens)}`,
    window: formatTokens(window),
  });
}

function countWords({ counted }: PathSize): string {
  return counted
    ? t("Counted by the provider, except for the last few messages")
    : t("Estimated from the length of the text");
}

/** No model to send to: what was found, and the two ways to continue. */
function NoModel({ onModel, onDemo }: { onModel: () => void; onDemo: () => void }) {
  const look = "shrink-0 rounded px-1 text-text underline underline-offset-2 hover:bg-sunken";
  return (
    <>
      <Warning text={t("No key and no model server was found")} />
      <button type="button" className={look} onClick={onModel}>
        {t("What to do")}
      </button>
      <button type="button" className={look} onClick={onDemo}>
        {t("Try the scripted demo")}
      </button>
    </>
  );
}

function Warning({ text }: { text: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1 text-warn" title={text}>
      <TriangleAlert size={12} className="shrink-0" aria-hidden="true" />
      <span className="truncate">{text}</span>
    </span>
  );
}
