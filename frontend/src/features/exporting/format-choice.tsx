import clsx from "clsx";
import { Fragment, useId } from "react";
import { t } from "@/lib/i18n/i18n";
import { type Format, formatGroups } from "./export-options";

interface FormatChoiceProps {
  value: Format;
  onChange: (format: Format) => void;
}

/** The formats in rows by what they are for, and a description of the chosen one. */
export function FormatChoice({ value, onChange }: FormatChoiceProps) {
  const name = useId();
  const groups = formatGroups();
  const chosen = groups.flatMap(({ formats }) => formats).find(({ format }) => format === value);
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm text-text-3">{t("Format")}</legend>
      <div className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 tiny:grid-cols-1">
        {groups.map(({ title, formats }) => (
          <Fragment key={title}>
            <span className="text-text-2">{title}</span>
            <div className="flex flex-wrap gap-2">
              {formats.map(({ format, title, text }) => (
                <label
                  key={format}
                  title={text}
                  className={clsx(
                    "rounded border px-3 py-1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent",
                    format === value
                      ? "border-accent bg-accent-soft font-semibold"
                      : "border-border hover:border-border-strong",
                  )}
                >
                  <input
                    type="radio"
                    className="sr-only"
                    name={name}
                    checked={format === value}
                    onChange={() => onChange(format)}
                  />
                  <span>{title}</span>
                  <span className="sr-only"> {text}</span>
                </label>
              ))}
            </div>
          </Fragment>
        ))}
      </div>
      <p className="mt-2 text-sm text-text-3" aria-hidden="true">
        {chosen?.text}
      </p>
    </fieldset>
  );
}
