import { CirclePause, CornerDownLeft } from "lucide-react";
import { type KeyboardEvent, useId, useRef } from "react";
import { Button } from "@/components/form/button";
import { Kbd } from "@/components/text/kbd";
import type { LiveQuestion } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useLivePart } from "@/lib/run/runs";
import { useAuthors } from "@/lib/session/authors";
import { useAnswer } from "./use-answer";
import { useAnswerKey, useTakingFocus } from "./use-taking-focus";

interface ReviewCardProps {
  sessionId: string;
  question: LiveQuestion;
}

/** Waits for the user after an answer: continue, add a message, or stop. */
export function ReviewCard({ sessionId, question }: ReviewCardProps) {
  const card = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const { answered, answer } = useAnswer(sessionId, question.id);
  const authors = useAuthors(sessionId);
  const agent = useLivePart(sessionId, (live) => live?.run.agent ?? "");
  useTakingFocus(card);
  const answerKey = useAnswerKey(card);
  const goOn = () => answer({ allow: true, text: field.current?.value.trim() ?? "" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target === field.current;
    if (event.key === "Enter" && inField) goOn();
    else if (event.key.toLowerCase() === "q" && !inField) answer({});
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
        <CirclePause size={16} className="shrink-0 text-accent" aria-hidden="true" />
        <span className="flex-1">
          {authors.length > 0
            ? t("{{name}} has answered and waits for you", { name: agent })
            : t("The model has answered and waits for you")}
        </span>
        <span className="group-focus-within:hidden">
          <Kbd chord={answerKey} />
        </span>
      </h3>
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <input
          ref={field}
          aria-label={t("Add a message before it continues")}
          placeholder={t("Add a message before it continues")}
          dir="auto"
          className="h-7 min-w-48 flex-1 rounded border border-border-strong bg-surface px-2"
        />
        <Button aria-keyshortcuts="Q" disabled={answered} onClick={() => answer({})}>
          {t("Stop here")}
          <Kbd chord="Q" />
        </Button>
        <Button variant="primary" data-autofocus="" disabled={answered} onClick={goOn}>
          {t("Continue")}
          <CornerDownLeft size={14} aria-hidden="true" />
        </Button>
      </div>
    </section>
  );
}
