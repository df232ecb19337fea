import clsx from "clsx";
import { ChevronDown, X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

interface ChipProps extends ComponentProps<"button"> {
  /** On: the filter is active. */
  on?: boolean;
  /** Opens a menu. */
  menu?: boolean;
  /** Shows a cross: a click removes the filter. */
  removable?: boolean;
  children: ReactNode;
}

/** A small round switch, mostly for filters. */
export function Chip({ on = false, menu, removable, className, children, ...rest }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={menu ? undefined : on}
      className={clsx(
        "inline-flex h-[22px] max-w-full shrink-0 items-center gap-1 rounded-full border px-2 text-sm",
        on
          ? "border-transparent bg-accent-soft text-text"
          : "border-border text-text-2 hover:bg-sunken hover:text-text",
        "data-[state=open]:bg-sunken",
        className,
      )}
      {...rest}
    >
      {typeof children === "string" ? <span className="truncate">{children}</span> : children}
      {menu && !removable && (
        <ChevronDown size={12} className="-me-0.5 text-text-3" aria-hidden="true" />
      )}
      {removable && <X size={12} className="-me-0.5 text-text-3" aria-hidden="true" />}
    </button>
  );
}
