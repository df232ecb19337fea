import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import type { MenuEntry } from "./menu-entry";
import { MenuLines, menuPanel } from "./menu-lines";

interface MenuProps {
  /** The button that opens it: one element that takes a ref. */
  trigger: ReactNode;
  entries: readonly MenuEntry[];
  align?: "start" | "center" | "end";
  side?: "top" | "bottom";
  /** The menu's name, if the trigger's text does not give it. */
  label?: string;
  onOpenChange?: (open: boolean) => void;
}

/** A menu under a button. */
export function Menu({
  trigger,
  entries,
  align = "start",
  side = "bottom",
  label,
  onOpenChange,
}: MenuProps) {
  return (
    <DropdownMenu.Root modal={false} onOpenChange={onOpenChange}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={menuPanel}
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          collisionBoundary={document.body}
          aria-label={label}
        >
          <MenuLines entries={entries} kind={DropdownMenu} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
