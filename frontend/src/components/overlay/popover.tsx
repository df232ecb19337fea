import clsx from "clsx";
import { Popover } from "radix-ui";
import type { ComponentProps } from "react";

/** A panel beside its trigger, inside a `Popover.Root`; `label` names it. It stays within the window. */
export function PopoverCard({
  label,
  className,
  ...rest
}: ComponentProps<typeof Popover.Content> & { label: string }) {
  return (
    <Popover.Portal>
      <Popover.Content
        sideOffset={6}
        collisionPadding={8}
        aria-label={label}
        className={clsx(
          "z-50 animate-appear rounded-lg border border-border bg-surface shadow-float",
          className,
        )}
        {...rest}
      />
    </Popover.Portal>
  );
}
