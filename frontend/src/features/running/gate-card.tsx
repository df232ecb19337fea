import { Check, Users } from "lucide-react";
import { type KeyboardEvent, useId, useRef } from "react";
import { Button } from "@/components/form/button";
import { Kbd } from "@/components/text/kbd";
import { Shown } from "@/components/text/shown";
import type { LiveQuestion } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useAnswer } from "./use-answer";
import { useAnswerKey, useTakingFocus } from "./use-taking-focus";

interface GateCardProps {
  sessionId: string;
  question: LiveQuestion;
}

/** Asks whether a team hands over its work. A refusal sends the agent the reason, and it has another turn. */
export function GateCard({ sessionId, question }: GateCardProps) {
  const card = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const { answered, answer } = useAnswer(sessionId, question.id);
  useTakingFocus(card);
  const answerKey = useAnswerKey(card);
  const refuse = () => answer({ text: field.current?.value.trim() ?? "" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target === field.current;
    if (event.key === "Enter" && inField) refuse();
    else if (event.key.toLowerCase() === "y" && !inField) answer({ allow: true });
    else if (event.key.toLowerCase() === "n" && !inField) field.current?.focus();
    else return;
    event.preventDefault();
  };
  return (
    <section
      ref={card}
      role="alertdialog"
      aria-labelledby={id}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="group animate-appear rounded-lg border border-accent bg-surface p-3 outline-none"
    >
      <h3 id={id} className="flex items-center gap-2 font-semibold">
        <Users size={16} className="shrink-0 text-accent" aria-hidden="true" />
        <span className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">
          <Shown text={question.title} />
        </span>
        <span className="group-focus-within:hidden">
          <Kbd chord={answerKey} />
        </span>
      </h3>
      <p className="mt-1 text-sm text-text-3">
        {t("The team hands over its work only if you approve.")}
      </p>
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <input
          ref={field}
          aria-label={t("What is missing")}
          placeholder={t("What is missing")}
          dir="auto"
          className="h-7 min-w-48 flex-1 rounded border border-border-strong bg-surface px-2"
        />
        <Button aria-keyshortcuts="N" disabled={answered} onClick={refuse}>
          {t("Send back")}
          <Kbd chord="N" />
        </Button>
        <Button
          variant="primary"
          data-autofocus=""
          aria-keyshortcuts="Y"
          disabled={answered}
          onClick={() => answer({ allow: true })}
        >
          {t("Approve")}
          <Check size={14} aria-hidden="true" />
        </Button>
      </div>
    </section>
  );
}
