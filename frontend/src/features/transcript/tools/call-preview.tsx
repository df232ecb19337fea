import clsx from "clsx";
import type { Preview } from "@/lib/api/api";
import { formatCost, formatPlural, formatTokens } from "@/lib/format/format";
import { statusWord } from "@/lib/format/sources";
import { type Message, msg, plural, t, translate } from "@/lib/i18n/i18n";
import { Prose } from "../text/prose";
import { DiffPreview } from "./diff-view";

interface CallPreviewProps {
  preview: Preview;
  /** What the line of the card names. */
  target: string;
  /** Opens the card. */
  onOpen: () => void;
}

/** What a closed card shows of its call: a few lines that Go has chosen. */
export function CallPreview({ preview, target, onOpen }: CallPreviewProps) {
  return (
    <div className="call-preview">
      <Body preview={preview} target={target} onOpen={onOpen} />
    </div>
  );
}

function Body({ preview, target, onOpen }: CallPreviewProps) {
  const { kind, diffs = [], pages = [] } = preview;
  if (kind === "changes")
    return diffs.map((diff) => (
      <DiffPreview
        key={diff.path}
        diff={diff}
        isNamed={diffs.length === 1 && diff.path === target}
        onOpen={onOpen}
      />
    ));
  if (kind === "output") return <Output preview={preview} onOpen={onOpen} />;
  if (kind === "tasks") return <Tasks preview={preview} onOpen={onOpen} />;
  if (kind === "web" && pages.length > 0) return <Pages preview={preview} onOpen={onOpen} />;
  return <Excerpt preview={preview} onOpen={onOpen} />;
}

interface PartProps {
  preview: Preview;
  onOpen: () => void;
}

/** The last lines that a command printed, or the first ones of an error. */
function Output({ preview: { text = "", above = 0, below = 0 }, onOpen }: PartProps) {
  if (text === "") return null;
  return (
    <div className="preview-output">
      {above > 0 && (
        <button type="button" className="preview-more" onClick={onOpen}>
          {plural(above, "{{count}} line above", "{{count}} lines above")}
        </button>
      )}
      <pre className="selectable" dir="auto">
        {text}
      </pre>
      {below > 0 && (
        <button type="button" className="preview-more" onClick={onOpen}>
          {formatPlural(below, "more line")}
        </button>
      )}
    </div>
  );
}

const signs: Record<string, { sign: string; word: Message }> = {
  done: { sign: "☑", word: msg("done") },
  doing: { sign: "◐", word: msg("in progress") },
  dropped: { sign: "☒", word: msg("dropped") },
};

function Tasks({ preview: { tasks = [], omitted = 0 }, onOpen }: PartProps) {
  return (
    <>
      <ul className="checklist selectable">
        {tasks.map(({ text, state }, at) => {
          const { sign, word } = signs[state] ?? { sign: "☐", word: msg("open") };
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name
            <li key={at} className={state} dir="auto">
              <span role="img" aria-label={translate(word)} className="task-sign">
                {sign}
              </span>
              {text}
            </li>
          );
        })}
      </ul>
      <More count={omitted} words={formatPlural(omitted, "more task")} onOpen={onOpen} />
    </>
  );
}

function Pages({ preview: { pages = [], omitted = 0 }, onOpen }: PartProps) {
  return (
    <>
      <ul className="preview-pages">
        {pages.map(({ title, url }) => (
          <li key={url}>
            <a href={url} title={url} rel="noopener noreferrer" dir="auto">
              {title}
            </a>
            <span className="text-text-3">{hostOf(url)}</span>
          </li>
        ))}
      </ul>
      <More count={omitted} words={formatPlural(omitted, "more page")} onOpen={onOpen} />
    </>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host.replace(/^www\./, "");
  } catch {
    return "";
  }
}

/** A plan, or the beginning of what a subagent or a page says. */
function Excerpt({ preview, onOpen }: PartProps) {
  const { kind, html = "", cut, steps = 0, tokens = 0, status = "", costNanoUsd } = preview;
  const facts = [
    status !== "" && statusWord(status),
    steps > 0 && formatPlural(steps, "step"),
    tokens > 0 && formatTokens(tokens),
    formatCost(costNanoUsd),
  ];
  const used = facts.filter(Boolean).join(" · ");
  return (
    <div className={clsx("preview-excerpt", kind === "plan" && "is-plan")}>
      <Prose html={html} />
      {(cut || used !== "") && (
        <p className="flex items-center gap-2 text-sm text-text-3">
          {cut && (
            <button type="button" className="preview-more inline" onClick={onOpen}>
              {t("Show all")}
            </button>
          )}
          {used}
        </p>
      )}
    </div>
  );
}

interface MoreProps {
  count: number;
  words: string;
  onOpen: () => void;
}

function More({ count, words, onOpen }: MoreProps) {
  if (count === 0) return null;
  return (
    <button type="button" className="preview-more" onClick={onOpen}>
      {words}
    </button>
  );
}
