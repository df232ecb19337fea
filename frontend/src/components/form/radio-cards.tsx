import clsx from "clsx";
import { useId } from "react";

interface RadioCardsProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  cards: readonly { value: Value; title: string; text?: string }[];
  /** In rows of three, for more cards than fit side by side. */
  wrap?: boolean;
}

/** A choice between a few options, each with a description. */
export function RadioCards<Value extends string>(props: RadioCardsProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm text-text-3">{props.label}</legend>
      <div
        className={clsx(
          "grid gap-2",
          props.wrap
            ? "grid-cols-3 tiny:grid-cols-1"
            : "auto-cols-fr grid-flow-col tiny:grid-flow-row",
        )}
      >
        {props.cards.map(({ value, title, text }) => (
          <label
            key={value}
            className={clsx(
              "flex min-w-0 flex-col rounded border px-3 py-2 [overflow-wrap:anywhere] has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
              value === props.value
                ? "border-accent bg-accent-soft"
                : "border-border hover:border-border-strong",
            )}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              checked={value === props.value}
              onChange={() => props.onChange(value)}
            />
            <span className={clsx(value === props.value && "font-semibold")}>{title}</span>
            {text && <span className="text-sm text-text-3">{text}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
