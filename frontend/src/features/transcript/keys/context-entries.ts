import { actionEntries } from "@/actions/action";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { api } from "@/lib/api/api";
import { writeClipboard } from "@/lib/browser/clipboard";
import { t } from "@/lib/i18n/i18n";
import { messageMenu } from "../message/message-menu";
import type { Row } from "../path/plan";
import type { MessageActions } from "../scope";

/** The menu of what is under the pointer: the selected text, a link, the message. */
export function contextEntries(
  target: HTMLElement,
  path: { row: (index: number) => Row | undefined },
  actions: MessageActions,
): MenuEntry[] {
  const entries: MenuEntry[] = [];
  const selected = window.getSelection()?.toString() ?? "";
  if (selected !== "")
    entries.push({
      title: t("Copy the selected text"),
      keys: "Mod+C",
      onSelect: () => void writeClipboard(selected),
    });
  const address = target.closest("a[href]")?.getAttribute("href") ?? "";
  if (/^(https?|mailto):/i.test(address))
    entries.push(
      { title: t("Open the link"), onSelect: () => void api.openURL(address).catch(() => {}) },
      { title: t("Copy the link's address"), onSelect: () => void writeClipboard(address) },
    );
  const index = target.closest<HTMLElement>("[data-row]")?.dataset.row;
  const row = index === undefined ? undefined : path.row(Number(index));
  if (!row) return entries;
  if (entries.length > 0) entries.push("separator");
  return [...entries, ...actionEntries(messageMenu(actions), row.message)];
}
