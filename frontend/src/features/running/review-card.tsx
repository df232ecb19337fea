import { CirclePause, CornerDownLeft } from "lucide-react";
import { Button } from "@/components/form/button";
import { Kbd } from "@/components/text/kbd";
import type { LiveQuestion } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useLivePart } from "@/lib/run/runs";
import { useAuthors } from "@/lib/session/authors";
import { AnswerCard } from "./answer-card";
import { useAnswer } from "./use-answer";

interface ReviewCardProps {
  sessionId: string;
  question: LiveQuestion;
}

/** Waits for the user after an answer: continue, add a message, or stop. */
export function ReviewCard({ sessionId, question }: ReviewCardProps) {
  const { answered, answer } = useAnswer(sessionId, question.id);
  const authors = useAuthors(sessionId);
  const agent = useLivePart(sessionId, (live) => live?.run.agent ?? "");
  const resume = (text: string) => answer({ allow: true, text });
  const stop = () => answer({});
  return (
    <AnswerCard
      icon={CirclePause}
      title={
        authors.length > 0
          ? t("{{name}} has answered and waits for you", { name: agent })
          : t("The model has answered and waits for you")
      }
      field={t("Add a message before it continues")}
      onEnter={resume}
      keys={{ q: stop }}
    >
      {(textOf) => (
        <>
          <Button aria-keyshortcuts="Q" disabled={answered} onClick={stop}>
            {t("Stop here")}
            <Kbd chord="Q" />
          </Button>
          <Button
            variant="primary"
            data-autofocus=""
            disabled={answered}
            onClick={() => resume(textOf())}
          >
            {t("Continue")}
            <CornerDownLeft size={14} aria-hidden="true" />
          </Button>
        </>
      )}
    </AnswerCard>
  );
}
