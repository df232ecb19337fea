import { useEffect, useRef } from "react";
import { t } from "@/lib/i18n/i18n";

interface RenameFieldProps {
  title: string;
  onDone: (title: string) => void;
  onCancel: () => void;
}

/** The title of a row during editing: Enter and blur save it, Esc does not. */
export function RenameField({ title, onDone, onCancel }: RenameFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const closed = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const close = (keep: boolean) => {
    if (closed.current) return;
    closed.current = true;
    if (keep && field.current) onDone(field.current.value);
    else onCancel();
  };
  return (
    <input
      ref={field}
      aria-label={t("Title")}
      defaultValue={title}
      dir="auto"
      maxLength={500}
      className="h-7 w-full rounded border border-border-strong bg-surface px-2"
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") close(true);
        if (event.key === "Escape") close(false);
      }}
    />
  );
}
