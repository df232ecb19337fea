import { Command } from "cmdk";
import { Kbd } from "@/components/text/kbd";
import { t } from "@/lib/i18n/i18n";
import { type Command as Action, groupTitle, runCommand } from "@/lib/keys/commands";
import { groupLook, itemLook } from "./panel-looks";

interface CommandItemsProps {
  commands: readonly Action[];
  /** Closes the panel and then runs the given action. */
  onRun: (then: () => void) => void;
}

/** The matching commands. */
export function CommandItems({ commands, onRun }: CommandItemsProps) {
  if (commands.length === 0) return null;
  return (
    <Command.Group heading={t("Commands")} className={groupLook}>
      {commands.map(({ name, title, group, keys }) => (
        <Command.Item
          key={name}
          value={`command ${name}`}
          className={itemLook}
          onSelect={() => onRun(() => runCommand(name))}
        >
          <span className="min-w-0 flex-1 truncate">{title}</span>
          <span className="text-sm text-text-3">{groupTitle(group)}</span>
          {keys[0] && <Kbd chord={keys[0]} />}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
