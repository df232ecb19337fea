import { TextQuote, X } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import type { Citation } from "@/lib/store/compose";

interface QuotedLineProps {
  citations: readonly Citation[];
  onDrop: (uid: string) => void;
}

/** Lists the messages that the draft quotes: the sent message will cite them. */
export function QuotedLine({ citations, onDrop }: QuotedLineProps) {
  return (
    <p className="flex min-h-8 flex-wrap items-center gap-x-1 border-b border-border ps-3 text-sm text-text-2">
      <TextQuote size={13} className="me-1" aria-hidden="true" />
      {t("Quotes", { context: "verb" })}
      {citations.map(({ uid }, at) => (
        <span key={uid} className="flex items-center">
          <button
            type="button"
            aria-label={t("Go to passage {{number}}", { number: at + 1 })}
            className="rounded border border-border px-1 hover:bg-sunken hover:text-text"
            onClick={() => runCommand("go-to-message", uid)}
          >
            {t("passage {{number}}", { number: at + 1 })}
          </button>
          <IconButton
            icon={X}
            label={t("Do not cite passage {{number}}", { number: at + 1 })}
            className="!size-6"
            onClick={() => onDrop(uid)}
          />
        </span>
      ))}
    </p>
  );
}
