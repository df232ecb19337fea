import type { ReactNode } from "react";
import type { Sending } from "@/lib/api/api";
import { formatCount, formatPlural, formatTokens } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { modeWords } from "@/lib/session/modes";

interface SendingLinesProps {
  sending: Sending;
  /** Models that are asked in parallel with the chosen one. */
  beside?: readonly string[];
}

/** The parts of a request to a model, one line each, with their sizes. */
export function SendingLines({ sending, beside = [] }: SendingLinesProps) {
  const { tokens, counted, windowTokens, images, notices } = sending;
  const amount = counted ? formatCount(tokens) : `~${formatCount(tokens)}`;
  return (
    <>
      <h2 className="flex items-baseline gap-3">
        <span className="min-w-0 flex-1 truncate font-semibold">{sending.model}</span>
        <span className="shrink-0 text-text-2 tabular-nums">
          {windowTokens > 0
            ? t("{{amount}} of {{window}}", { amount, window: formatTokens(windowTokens) })
            : t("{{amount}} tok", { amount })}
        </span>
      </h2>
      <dl className="mt-2 flex flex-col">
        <SystemLine sending={sending} />
        <ToolsLine sending={sending} />
        <PathLines sending={sending} />
        {images > 0 && <Line term={t("Images")}>{formatCount(images)}</Line>}
        {sending.sentAtMs === 0 && (
          <Line term={t("Prompt")} tokens={sending.promptTokens}>
            {sending.promptTokens > 0
              ? t("what you write here")
              : t("none: the last prompt is answered again")}
          </Line>
        )}
        {beside.length > 0 && (
          <Line term={t("Beside")}>
            {plural(
              beside.length,
              "the same to {{models}}, which only reads",
              "the same to {{models}}, each of which only reads",
              { models: beside.join(", ") },
            )}
          </Line>
        )}
      </dl>
      {notices.map((notice) => (
        <p key={notice} className="mt-2 text-sm text-warn [overflow-wrap:anywhere]">
          {notice}
        </p>
      ))}
      <p className="mt-2 text-sm text-text-3">
        {counted
          ? t(
              "The provider counted the total up to its last answer; the rest is estimated from the length",
            )
          : t("Tokens are estimated from the length of the text")}
      </p>
    </>
  );
}

function SystemLine({ sending: { agent, system, systemTokens, files } }: { sending: Sending }) {
  return (
    <Line term={t("System prompt")} tokens={systemTokens}>
      <details>
        <summary className="cursor-default rounded hover:bg-sunken">
          {t("agent {{name}}", { name: agent })}
        </summary>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
          tabIndex={0}
          className="selectable mt-1 max-h-60 overflow-auto rounded bg-sunken p-2 font-mono text-sm whitespace-pre-wrap"
        >
          {system}
        </pre>
      </details>
      {files.map(({ path, cut }) => (
        <span key={path} className="block truncate text-text-2" title={path}>
          {cut ? t("with the beginning of {{path}}", { path }) : t("with {{path}}", { path })}
        </span>
      ))}
    </Line>
  );
}

function ToolsLine({ sending: { tools, toolTokens, mode } }: { sending: Sending }) {
  if (tools.length === 0) return <Line term={t("Tools")}>{t("none")}</Line>;
  const { title, text } = modeWords(mode);
  return (
    <Line term={t("Tools")} tokens={toolTokens}>
      <details>
        <summary className="cursor-default rounded hover:bg-sunken">
          {formatPlural(tools.length, "tool")} · {title}
        </summary>
        <ul className="mt-1 max-h-60 overflow-auto rounded bg-sunken p-2 text-sm">
          {tools.map(({ name, description }) => (
            <li key={name} className="truncate" title={description}>
              <span className="font-mono">{name}</span>{" "}
              <span className="text-text-3">{description}</span>
            </li>
          ))}
        </ul>
      </details>
      {text && <span className="block text-text-2">{text}</span>}
    </Line>
  );
}

function PathLines({ sending }: { sending: Sending }) {
  const { hidden, messages, turns, pathTokens } = sending;
  if (hidden + messages === 0)
    return <Line term={t("Messages")}>{t("none: this is the first message")}</Line>;
  return (
    <>
      {hidden > 0 && (
        <Line term={t("Summary")}>
          {plural(
            hidden,
            "replaces {{count}} message before it",
            "replaces {{count}} messages before it",
          )}
        </Line>
      )}
      <Line term={t("Messages")} tokens={pathTokens}>
        {messages > 0 &&
          plural(turns, "{{messages}} of {{count}} turn", "{{messages}} of {{count}} turns", {
            messages,
          })}
      </Line>
    </>
  );
}

interface LineProps {
  term: string;
  /** The estimates; undefined: unknown. */
  tokens?: number;
  children: ReactNode;
}

function Line({ term, tokens, children }: LineProps) {
  return (
    <div className="flex gap-3 border-t border-border py-1.5">
      <dt className="w-28 shrink-0 text-text-3">{term}</dt>
      <dd className="flex min-w-0 flex-1 gap-3">
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</span>
        {tokens !== undefined && tokens > 0 && (
          <span className="shrink-0 text-text-3 tabular-nums">~{formatCount(tokens)}</span>
        )}
      </dd>
    </div>
  );
}
