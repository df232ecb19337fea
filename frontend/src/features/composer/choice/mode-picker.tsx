import clsx from "clsx";
import { ChevronDown } from "lucide-react";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { t } from "@/lib/i18n/i18n";
import { modes, modeWords } from "@/lib/session/modes";

interface ModePickerProps {
  mode: string;
  /** What confines commands, in words. */
  sandbox: string;
  /** A team: without a choice each agent has its own. */
  ofEach: boolean;
  onChoose: (mode: string) => void;
}

/** How much the agent may do without asking. */
export function ModePicker({ mode, sandbox, ofEach, onChoose }: ModePickerProps) {
  const { title: word, icon: Icon, warns } = modeWords(mode);
  const title = word || (ofEach ? t("By agent") : "");
  const entries: MenuEntry[] = [
    {
      title: sandbox ? t("Permissions · sandbox: {{sandbox}}", { sandbox }) : t("Permissions"),
      heading: true,
    },
    ...(ofEach
      ? [
          {
            title: t("By agent"),
            detail: t("Each agent has the permissions of its definition"),
            checked: mode === "",
            onSelect: () => onChoose(""),
          },
        ]
      : []),
    ...modes().map((one) => ({
      title: one.title,
      detail: one.text,
      checked: one.mode === mode,
      danger: one.warns,
      onSelect: () => onChoose(one.mode),
    })),
  ];
  return (
    <Menu
      side="top"
      label={t("Permissions")}
      entries={entries}
      trigger={
        <button
          type="button"
          aria-label={t("Permissions: {{mode}}", { mode: title || t("unknown") })}
          className={clsx(
            "inline-flex h-7 min-w-12 shrink-[3] items-center gap-1 rounded border bg-surface px-2.5 whitespace-nowrap hover:bg-sunken data-[state=open]:bg-sunken",
            warns ? "border-warn font-semibold text-warn" : "border-border",
          )}
        >
          <Icon
            size={14}
            aria-hidden="true"
            className={clsx("shrink-0", !warns && "text-text-2")}
          />
          <span className="min-w-0 truncate tight:sr-only" title={title}>
            {title}
          </span>
          <ChevronDown size={12} className="shrink-0 text-text-3" aria-hidden="true" />
        </button>
      }
    />
  );
}
