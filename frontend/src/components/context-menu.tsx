import { ContextMenu as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { rectPoint } from "@/lib/zoom";
import type { MenuEntry } from "./menu-entry";
import { MenuLines, menuPanel } from "./menu-lines";

interface ContextMenuProps {
  /** What the menu holds, asked for when it opens, with what was under the pointer. */
  entries: (target: HTMLElement) => readonly MenuEntry[];
  /** One element that takes a ref. */
  children: ReactNode;
  onOpenChange?: (open: boolean) => void;
}

/** The menu of the right mouse button, of Shift+F10 and of the menu key. No entries: no menu. */
export function ContextMenu({ entries, children, onOpenChange }: ContextMenuProps) {
  const [shown, setShown] = useState<readonly MenuEntry[]>([]);
  return (
    <Radix.Root modal={false} onOpenChange={onOpenChange}>
      <Radix.Trigger
        asChild
        onContextMenu={(event) => {
          const next = entries(event.target as HTMLElement);
          if (next.length === 0) event.preventDefault();
          setShown(next);
          // The menu opens there, by the rectangles' pixels.
          const { x, y } = rectPoint(event);
          Object.assign(event, { clientX: x, clientY: y });
        }}
      >
        {children}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={menuPanel}
          collisionPadding={8}
          collisionBoundary={document.body}
          onCloseAutoFocus={(event) => {
            // What was chosen may have put the focus where a person goes on, before the menu has faded.
            if (document.activeElement !== document.body) event.preventDefault();
          }}
        >
          <MenuLines entries={shown} kind={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
