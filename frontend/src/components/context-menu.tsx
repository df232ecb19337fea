import { ContextMenu as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { isTextField } from "@/lib/keys";
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
        onKeyDown={(event) => {
          if (event.defaultPrevented || !isMenuKey(event) || isTextField(event.target)) return;
          // Chromium would open it by itself, WebKitGTK does not.
          event.preventDefault();
          openMenuAt(event.target as Element);
        }}
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

/** Says whether a key press asks for the menu of what has the focus. */
export function isMenuKey({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

/** Opens the menu of an element as the right mouse button does, near its beginning as far as that is in sight. */
export function openMenuAt(element: Element): void {
  const box = element.getBoundingClientRect();
  // A pointer is always in pixels of the window, rectangles are not in every engine.
  const scale = 1 / rectPoint({ clientX: 1, clientY: 1 }).x;
  const y = (box.top + Math.min(box.height / 2, lineHeight)) * scale;
  element.dispatchEvent(
    new window.MouseEvent("contextmenu", {
      bubbles: true,
      cancelable: true,
      clientX: (box.left + Math.min(box.width / 2, indent)) * scale,
      clientY: Math.min(Math.max(y, lineHeight), window.innerHeight - lineHeight),
    }),
  );
}

const indent = 40;
const lineHeight = 24;
