import { ContextMenu as Radix } from "radix-ui";
import { type ReactNode, useState } from "react";
import { rectPoint } from "@/lib/browser/zoom";
import { isTextField } from "@/lib/keys/keys";
import type { MenuEntry } from "./menu-entry";
import { MenuLines, menuPanel } from "./menu-lines";

interface ContextMenuProps {
  /** Returns the entries when the menu opens, for the element under the pointer. */
  entries: (target: HTMLElement) => readonly MenuEntry[];
  /** One element that takes a ref. */
  children: ReactNode;
  onOpenChange?: (open: boolean) => void;
}

/** The context menu, opened by the right mouse button, Shift+F10 or the menu key. No entries: no menu. */
export function ContextMenu({ entries, children, onOpenChange }: ContextMenuProps) {
  const [shown, setShown] = useState<readonly MenuEntry[]>([]);
  return (
    <Radix.Root modal={false} onOpenChange={onOpenChange}>
      <Radix.Trigger
        asChild
        onKeyDown={(event) => {
          if (event.defaultPrevented || !isMenuKey(event) || isTextField(event.target)) return;
          // Chromium would open it on its own, WebKitGTK does not.
          event.preventDefault();
          openMenuAt(event.target as Element);
        }}
        onContextMenu={(event) => {
          const next = entries(event.target as HTMLElement);
          if (next.length === 0) event.preventDefault();
          setShown(next);
          // The menu opens there, in the pixels of rectangles.
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
            // The chosen action may have moved the focus before the menu has faded.
            if (document.activeElement !== document.body) event.preventDefault();
          }}
        >
          <MenuLines entries={shown} kind={Radix} />
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Reports whether a key press requests the context menu of the focused element. */
export function isMenuKey({ key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">): boolean {
  return key === "ContextMenu" || (key === "F10" && shiftKey);
}

/** Opens the context menu of an element as the right mouse button does, near its start if that is visible. */
export function openMenuAt(element: Element): void {
  const box = element.getBoundingClientRect();
  // Pointer coordinates are always in pixels of the window, rectangles only in some engines.
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
