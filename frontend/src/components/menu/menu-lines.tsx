import clsx from "clsx";
import { Check, ChevronRight } from "lucide-react";
import type { ContextMenu, DropdownMenu } from "radix-ui";
import { Kbd } from "@/components/text/kbd";
import type { MenuAction, MenuEntry } from "./menu-entry";

/** The style of every menu. */
export const menuPanel =
  "z-50 min-w-48 max-w-[360px] max-h-[calc(var(--radix-popper-available-height)/var(--popper-scale,1))] animate-appear overflow-y-auto rounded-lg border border-border bg-surface p-1 text-base text-text shadow-float";

interface MenuLinesProps {
  entries: readonly MenuEntry[];
  /** The components that build the entries; both have the same interface. */
  kind: typeof DropdownMenu | typeof ContextMenu;
}

/** The entries of a menu, the same for menus of buttons and context menus. */
export function MenuLines({ entries, kind: Kind }: MenuLinesProps) {
  const marked = entries.some((entry) => typeof entry === "object" && isMarked(entry));
  return entries.map((entry, index) => {
    // A menu's entries do not move while it is open.
    const key = typeof entry === "string" ? `line ${index}` : `${index} ${entry.title}`;
    // An optional group may be missing at the end.
    if (entry === "separator" && index === entries.length - 1) return null;
    if (entry === "separator")
      return <Kind.Separator key={key} className="mx-2 my-1 border-t border-border" />;
    if (entry.heading)
      return (
        <Kind.Label key={key} className="px-2 pt-2 pb-1 text-xs text-text-3">
          {entry.title}
        </Kind.Label>
      );
    if (entry.entries)
      return (
        <Kind.Sub key={key}>
          <Kind.SubTrigger className={lineLook(entry)} disabled={entry.disabled}>
            <LineBody entry={entry} marked={marked} />
            <ChevronRight size={14} className="text-text-3" aria-hidden="true" />
          </Kind.SubTrigger>
          <Kind.Portal>
            <Kind.SubContent
              className={menuPanel}
              sideOffset={2}
              collisionPadding={8}
              collisionBoundary={document.body}
            >
              <MenuLines entries={entry.entries} kind={Kind} />
            </Kind.SubContent>
          </Kind.Portal>
        </Kind.Sub>
      );
    const shared = {
      className: lineLook(entry),
      disabled: entry.disabled,
      onSelect: (event: Event) => {
        if (entry.stay) event.preventDefault();
        entry.onSelect?.();
      },
    };
    if (entry.checked !== undefined)
      return (
        <Kind.CheckboxItem key={key} checked={entry.checked} {...shared}>
          <LineBody entry={entry} marked={marked} />
        </Kind.CheckboxItem>
      );
    return (
      <Kind.Item key={key} {...shared}>
        <LineBody entry={entry} marked={marked} />
      </Kind.Item>
    );
  });
}

function isMarked(entry: Exclude<MenuEntry, "separator">): boolean {
  return !entry.heading && (entry.checked !== undefined || entry.icon !== undefined);
}

function lineLook(entry: MenuAction): string {
  return clsx(
    "flex min-h-7 cursor-default items-center gap-2 rounded px-2 outline-none select-none",
    "data-[highlighted]:bg-accent-soft data-[state=open]:bg-accent-soft data-[disabled]:text-text-3 data-[disabled]:opacity-60",
    entry.danger && "text-error",
  );
}

function LineBody({ entry, marked }: { entry: MenuAction; marked: boolean }) {
  const Icon = entry.checked ? Check : entry.checked === undefined ? entry.icon : undefined;
  return (
    <>
      {marked && (
        <span className="flex w-4 shrink-0 justify-center text-text-2">
          {Icon && <Icon size={16} aria-hidden="true" />}
        </span>
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{entry.title}</span>
        {entry.detail && (
          <span className="block truncate pb-1 text-sm text-text-3">{entry.detail}</span>
        )}
      </span>
      {entry.note && <span className="ps-4 text-sm text-text-3">{entry.note}</span>}
      {entry.keys && (
        <span className="ps-4">
          <Kbd chord={entry.keys} />
        </span>
      )}
    </>
  );
}
