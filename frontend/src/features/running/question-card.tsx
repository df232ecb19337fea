import clsx from "clsx";
import { Hand, TriangleAlert } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { Button } from "@/components/form/button";
import { Kbd } from "@/components/text/kbd";
import { Rich } from "@/components/text/rich";
import { Shown } from "@/components/text/shown";
import type { LiveQuestion } from "@/lib/api/api";
import { fromGo } from "@/lib/i18n/from-go";
import { t } from "@/lib/i18n/i18n";
import { isTextField } from "@/lib/keys/keys";
import { DenyField } from "./deny-field";
import { readPreview } from "./diff-lines";
import { Preview } from "./preview";
import { actOfKey, offersOf, type Scope } from "./question-keys";
import { useAnswer } from "./use-answer";
import { useAnswerKey, useTakingFocus } from "./use-taking-focus";

/** So many lines are drawn at first. A call with more is allowed once the rest is on screen, too. */
const firstLines = 500;

interface QuestionCardProps {
  sessionId: string;
  question: LiveQuestion;
  /** Where the call would run. */
  workspace: string;
}

/** Asks whether a call may run: what it would do, why to look, and for how long a yes holds. */
export function QuestionCard({ sessionId, question, workspace }: QuestionCardProps) {
  const { title, preview, risk, wider, toolName, sandbox } = question;
  const card = useRef<HTMLElement>(null);
  const well = useRef<HTMLPreElement>(null);
  const lines = useMemo(() => readPreview(preview, toolName), [preview, toolName]);
  const [shown, setShown] = useState(firstLines);
  const isWhole = shown >= lines.length;
  const id = useId();
  const [wide, setWide] = useState(false);
  const [denying, setDenying] = useState(false);
  const { answered, answer } = useAnswer(sessionId, question.id);
  useTakingFocus(card);
  const answerKey = useAnswerKey(card);
  const mayWiden = wider.length > 0 && risk === "";
  const allow = (scope: Scope) => {
    if (isWhole) answer({ allow: true, scope, wide: wide && scope !== "once" });
  };
  useEffect(() => {
    if (shown > firstLines) well.current?.focus(); // "Show all" is gone
  }, [shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTextField(event.target)) return;
    const act = actOfKey(event.nativeEvent, question);
    if (act === undefined) return;
    event.preventDefault();
    if (act === "deny") setDenying(true);
    else if (act === "wider") setWide(!wide);
    else allow(act.allow);
  };
  return (
    <section
      ref={card}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={risk ? `${id}-risk` : undefined}
      aria-busy={answered}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="group animate-appear rounded-lg border border-warn bg-surface p-3 outline-none"
    >
      <h3 id={`${id}-title`} className="flex items-start gap-2">
        <Hand size={16} className="mt-px shrink-0 text-warn" aria-hidden="true" />
        <span className="selectable max-h-[20vh] min-w-0 flex-1 overflow-auto font-semibold whitespace-pre-wrap [overflow-wrap:anywhere]">
          <Shown text={fromGo(title)} />
        </span>
        <span className="shrink-0 font-mono text-sm text-text-3">{toolName}</span>
        <span className="group-focus-within:hidden">
          <Kbd chord={answerKey} />
        </span>
      </h3>
      {risk && (
        <p id={`${id}-risk`} className="mt-1.5 flex items-start gap-2 text-warn">
          <TriangleAlert size={16} className="mt-px shrink-0" aria-hidden="true" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {t("{{risk}}. Coppice asks each time.", { risk })}
          </span>
        </p>
      )}
      <div className="mt-2">
        <Preview lines={lines} shown={shown} well={well} onShowAll={() => setShown(lines.length)} />
        <p className="mt-1 text-sm text-text-3 [overflow-wrap:anywhere]">
          <Rich text={t("in <folder/>")} parts={{ folder: () => <Shown text={workspace} /> }} />
        </p>
        {sandbox && <p className="text-sm text-text-3">{t("Sandbox: {{sandbox}}", { sandbox })}</p>}
      </div>
      {mayWiden && <Width wider={wider} wide={wide} onChange={setWide} />}
      {denying ? (
        <DenyField
          onDeny={(text) => answer({ text })}
          onCancel={() => {
            setDenying(false);
            card.current?.focus();
          }}
        />
      ) : (
        <div className="mt-3 flex flex-wrap items-center gap-2">
          {offersOf(question).map(({ scope, title, key }) => (
            <Button
              key={scope}
              variant={scope === "once" ? "primary" : "plain"}
              data-autofocus={scope === "once" && isWhole ? "" : undefined}
              aria-keyshortcuts={key}
              disabled={answered || !isWhole}
              onClick={() => allow(scope)}
            >
              {title}
              <Hint primary={scope === "once"} label={key} />
            </Button>
          ))}
          <span className="flex-1" />
          <Button aria-keyshortcuts="N" disabled={answered} onClick={() => setDenying(true)}>
            {t("Deny…")}
            <Hint label="N" />
          </Button>
        </div>
      )}
    </section>
  );
}

/** The key of a button. */
function Hint({ label, primary }: { label: string; primary?: boolean }) {
  if (primary) return <span className="text-xs opacity-80">{label}</span>;
  return <Kbd chord={label} />;
}

interface WidthProps {
  wider: readonly string[];
  wide: boolean;
  onChange: (wide: boolean) => void;
}

/** What a yes that is remembered covers. */
function Width({ wider, wide, onChange }: WidthProps) {
  const name = useId();
  const choices = [
    { value: false, label: t("only this") },
    { value: true, label: wider.join(", ") },
  ];
  return (
    <fieldset className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <legend className="sr-only">{t("What is remembered")}</legend>
      <span className="text-text-3" aria-hidden="true">
        {t("Remember")}
      </span>
      {choices.map(({ value, label }) => (
        <label
          key={label}
          className={clsx(
            "inline-flex min-h-[22px] max-w-full items-center rounded-lg border px-2 has-focus-visible:outline-2 has-focus-visible:outline-accent",
            value === wide
              ? "border-accent bg-accent-soft"
              : "border-border text-text-2 hover:bg-sunken",
          )}
        >
          <input
            type="radio"
            className="sr-only"
            name={name}
            checked={value === wide}
            onChange={() => onChange(value)}
          />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <Shown text={label} />
          </span>
        </label>
      ))}
      <Kbd chord="X" />
    </fieldset>
  );
}
