import { Check, Users } from "lucide-react";
import { Button } from "@/components/form/button";
import { Kbd } from "@/components/text/kbd";
import { Shown } from "@/components/text/shown";
import type { LiveQuestion } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { AnswerCard } from "./answer-card";
import { useAnswer } from "./use-answer";

interface GateCardProps {
  sessionId: string;
  question: LiveQuestion;
}

/** Asks whether a team hands over its work. A refusal sends the agent the reason, and it has another turn. */
export function GateCard({ sessionId, question }: GateCardProps) {
  const { answered, answer } = useAnswer(sessionId, question.id);
  const refuse = (text: string) => answer({ text });
  const approve = () => answer({ allow: true });
  return (
    <AnswerCard
      icon={Users}
      title={<Shown text={question.title} />}
      note={t("The team hands over its work only if you approve.")}
      field={t("What is missing")}
      onEnter={refuse}
      keys={{ y: approve, n: (focusField) => focusField() }}
    >
      {(textOf) => (
        <>
          <Button aria-keyshortcuts="N" disabled={answered} onClick={() => refuse(textOf())}>
            {t("Send back")}
            <Kbd chord="N" />
          </Button>
          <Button
            variant="primary"
            data-autofocus=""
            aria-keyshortcuts="Y"
            disabled={answered}
            onClick={approve}
          >
            {t("Approve")}
            <Check size={14} aria-hidden="true" />
          </Button>
        </>
      )}
    </AnswerCard>
  );
}
