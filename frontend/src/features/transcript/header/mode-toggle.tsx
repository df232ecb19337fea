import clsx from "clsx";
import { ListCollapse, type LucideIcon, MessageSquare, Rows3 } from "lucide-react";
import { Tooltip } from "@/components/text/tooltip";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { commandSpec, keyOf } from "@/lib/keys/commands";
import { type Mode, modes } from "@/lib/session/mode";
import { modeCommands } from "../path/mode";

const icons: Record<Mode, LucideIcon> = {
  all: Rows3,
  digest: ListCollapse,
  prompts: MessageSquare,
};

const words: Record<Mode, Message> = {
  all: msg("All"),
  digest: msg("Digest"),
  prompts: msg("Prompts"),
};

/** The choice of how much of a session is shown. */
export function ModeToggle({ mode, onMode }: { mode: Mode; onMode: (mode: Mode) => void }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would look for a legend
    <div
      role="group"
      aria-label={t("How much is shown")}
      className="flex h-7 shrink-0 overflow-hidden rounded border border-border"
    >
      {modes.map((one) => {
        const Icon = icons[one];
        return (
          <Tooltip
            key={one}
            text={commandSpec(modeCommands[one]).title}
            keys={keyOf(modeCommands[one])}
          >
            <button
              type="button"
              aria-label={translate(words[one])}
              aria-pressed={one === mode}
              className={clsx(
                "border-border border-e px-2.5 text-sm last:border-e-0 @max-4xl:px-1.5",
                one === mode ? "bg-accent-soft text-text" : "text-text-2 hover:bg-sunken",
              )}
              onClick={() => onMode(one)}
            >
              <Icon size={16} aria-hidden="true" className="hidden @max-4xl:block" />
              <span className="@max-4xl:hidden">{translate(words[one])}</span>
            </button>
          </Tooltip>
        );
      })}
    </div>
  );
}
