import { useEffect, useRef, useState } from "react";
import { toastError, toastUndo } from "@/components/feedback/toast";
import { api, type Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

interface TitleFieldProps {
  session: Session;
  editing: boolean;
  onEdit: (editing: boolean) => void;
}

const longest = 500;

/** The session's title; a double click turns it into a field. */
export function TitleField({ session, editing, onEdit }: TitleFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState<string>();
  const title = shown ?? titleOf(session);
  useEffect(() => {
    if (editing) field.current?.select();
  }, [editing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what Go says counts again once it says something new
  useEffect(() => setShown(undefined), [session.title]);
  if (!editing)
    return (
      <h2
        className="selectable min-w-12 truncate text-lg font-semibold"
        dir="auto"
        title={title}
        onDoubleClick={() => onEdit(true)}
      >
        {title}
      </h2>
    );
  const close = (keep: boolean) => {
    if (!editing) return;
    const next = field.current?.value.trim() ?? "";
    onEdit(false);
    if (!keep || next === "" || next === session.title) return;
    setShown(next);
    void rename(session, next).then((done) => {
      if (!done) setShown(undefined);
    });
  };
  return (
    <input
      ref={field}
      aria-label={t("Title")}
      defaultValue={session.title || title}
      dir="auto"
      maxLength={longest}
      className="h-7 min-w-0 flex-1 rounded border border-border-strong bg-surface px-2 text-lg"
      onBlur={() => close(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") close(true);
        if (event.key === "Escape") close(false);
      }}
    />
  );
}

/** Something to call a session without a title. */
function titleOf({ title, task }: Session): string {
  return title || task.split("\n")[0] || t("Untitled session");
}

async function rename(session: Session, title: string): Promise<boolean> {
  const before = session.title;
  try {
    await api.renameSession(session.id, title);
  } catch (error) {
    toastError(t("Could not rename the session"), error);
    return false;
  }
  const shown = title.length > 60 ? `${title.slice(0, 60)}…` : title;
  toastUndo(t("Renamed to “{{title}}”", { title: shown }), () =>
    api.renameSession(session.id, before),
  );
  return true;
}
