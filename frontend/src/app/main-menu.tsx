import { Menu as MenuIcon } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/form/icon-button";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { type Message, t, translate } from "@/lib/i18n/i18n";
import { type CommandName, commandSpec, listCommands, runCommand } from "@/lib/keys/commands";
import { hasNativeMenu } from "@/lib/keys/keys";
import menu from "@/lib/keys/menu.json";

/** Returns the menu as it is now: every command in its group, those that do nothing now disabled. */
export function menuEntries(): MenuEntry[] {
  const offered = new Map(listCommands().map((command) => [command.name, command]));
  const entryOf = (name: CommandName): MenuEntry => {
    const command = offered.get(name);
    const { title, keys } = command ?? commandSpec(name);
    return {
      title,
      keys: keys[0],
      disabled: command?.enabled !== true,
      onSelect: () => runCommand(name),
    };
  };
  return menu.map(({ title, entries }) => ({
    title: translate(title as Message, { context: "menu" }),
    entries: entries.map((name) => (name === "separator" ? name : entryOf(name as CommandName))),
  }));
}

/** The menu of all commands. On macOS they are in the menu bar. */
export function MainMenu() {
  // The list is made when the menu opens: commands change with every selection.
  const [entries, setEntries] = useState<MenuEntry[]>([]);
  if (hasNativeMenu) return null;
  return (
    <Menu
      align="end"
      label={t("Menu")}
      trigger={<IconButton icon={MenuIcon} label={t("Menu")} />}
      entries={entries}
      onOpenChange={(open) => setEntries(open ? menuEntries() : [])}
    />
  );
}
