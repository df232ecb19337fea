import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./kbd";

interface TooltipProps {
  /** Empty: no tooltip. */
  text: ReactNode;
  /** The chord that does the same. */
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
  /** One element that accepts a ref and pointer events. */
  children: ReactNode;
}

/** Describes an element after a moment under the pointer or with the focus. Needs TooltipProvider above it. */
export function Tooltip({ text, keys, side = "bottom", children }: TooltipProps) {
  if (!text) return children;
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          collisionBoundary={document.body}
          className="z-50 flex max-w-[420px] animate-appear items-center gap-2 rounded border border-border bg-surface px-2 py-1 text-sm text-text shadow-float [overflow-wrap:anywhere]"
        >
          {text}
          {keys && <Kbd chord={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
