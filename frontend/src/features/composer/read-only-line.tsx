import { BookOpen } from "lucide-react";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";

const look =
  "rounded px-1 text-text-2 underline underline-offset-2 hover:bg-sunken hover:text-text";

/** What a session without a model has in place of the field: one quiet line, with the ways to a model and to the field. */
export function ReadOnlyLine({ onWrite }: { onWrite: () => void }) {
  return (
    <p className="flex h-6 items-center gap-2 text-sm text-text-3">
      <BookOpen size={13} aria-hidden="true" />
      {t("Read only")}
      <span aria-hidden="true">·</span>
      <button type="button" className={look} onClick={() => runCommand("model-keys")}>
        {t("Add a model")}
      </button>
      <button type="button" className={look} onClick={onWrite}>
        {t("Write a message")}
      </button>
    </p>
  );
}
