import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { Kbd } from "@/components/text/kbd";
import { useAnswerKey, useTakingFocus } from "./use-taking-focus";

interface AnswerCardProps {
  icon: LucideIcon;
  title: ReactNode;
  note?: string;
  /** The name of the field for a text. */
  field: string;
  /** Enter in the field. */
  onEnter: (text: string) => void;
  /** Keys outside of the field, in lower case. */
  keys: Readonly<Record<string, (focusField: () => void) => void>>;
  /** The buttons, which get the text of the field. */
  children: (textOf: () => string) => ReactNode;
}

/** A card that waits for the user: a title, a field for a text and buttons. */
export function AnswerCard(props: AnswerCardProps) {
  const { icon: Icon, title, note, field: fieldName, onEnter, keys, children } = props;
  const card = useRef<HTMLElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useTakingFocus(card);
  const answerKey = useAnswerKey(card);
  const textOf = () => field.current?.value.trim() ?? "";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const inField = event.target === field.current;
    const onKey = inField ? undefined : keys[event.key.toLowerCase()];
    if (event.key === "Enter" && inField) onEnter(textOf());
    else if (onKey) onKey(() => field.current?.focus());
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
        <Icon size={16} className="shrink-0 text-accent" aria-hidden="true" />
        <span className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">{title}</span>
        <span className="group-focus-within:hidden">
          <Kbd chord={answerKey} />
        </span>
      </h3>
      {note && <p className="mt-1 text-sm text-text-3">{note}</p>}
      <div className="mt-2.5 flex flex-wrap items-center gap-2">
        <input
          ref={field}
          aria-label={fieldName}
          placeholder={fieldName}
          dir="auto"
          className="h-7 min-w-48 flex-1 rounded border border-border-strong bg-surface px-2"
        />
        {children(textOf)}
      </div>
    </section>
  );
}
