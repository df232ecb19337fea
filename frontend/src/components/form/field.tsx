import clsx from "clsx";
import { type ComponentProps, type ReactNode, useId } from "react";

interface FieldProps {
  label: string;
  /** A description below the field. */
  text?: ReactNode;
  className?: string;
}

const look =
  "h-8 w-full min-w-0 rounded border border-border-strong bg-surface px-2 text-text placeholder:text-text-3 disabled:opacity-50";

/** A line for text, with its label above it and a description below it. */
export function TextField({
  label,
  text,
  className,
  ...rest
}: FieldProps & ComponentProps<"input">) {
  const id = useId();
  return (
    <Labelled id={id} label={label} text={text} className={className}>
      <input
        id={id}
        aria-describedby={text ? `${id}-text` : undefined}
        autoComplete="off"
        spellCheck={false}
        className={look}
        {...rest}
      />
    </Labelled>
  );
}

/** A field for several lines of text. */
export function TextArea({
  label,
  text,
  className,
  ...rest
}: FieldProps & ComponentProps<"textarea">) {
  const id = useId();
  return (
    <Labelled id={id} label={label} text={text} className={className}>
      <textarea
        id={id}
        aria-describedby={text ? `${id}-text` : undefined}
        className={clsx(look, "h-auto py-1.5")}
        {...rest}
      />
    </Labelled>
  );
}

/** A choice of one from a list. */
export function SelectField({
  label,
  text,
  className,
  children,
  ...rest
}: FieldProps & ComponentProps<"select">) {
  const id = useId();
  return (
    <Labelled id={id} label={label} text={text} className={className}>
      <select id={id} aria-describedby={text ? `${id}-text` : undefined} className={look} {...rest}>
        {children}
      </select>
    </Labelled>
  );
}

function Labelled({
  id,
  label,
  text,
  className,
  children,
}: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={clsx("min-w-0", className)}>
      <label htmlFor={id} className="mb-1 block text-sm text-text-2">
        {label}
      </label>
      {children}
      {text && (
        <p id={`${id}-text`} className="mt-1 text-sm text-text-3">
          {text}
        </p>
      )}
    </div>
  );
}
