import clsx from "clsx";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface FoldLineProps {
  open: boolean;
  onToggle: () => void;
  /** Nothing to open: a line without a triangle that does nothing. */
  still?: boolean;
  /** Looks pressed in while open. */
  well?: boolean;
  /** The row's Enter key turns those that are marked. */
  children: ReactNode;
  className?: string;
}

/** One line of 28 px that opens to the content under it. */
export function FoldLine({ open, onToggle, still, well, children, className }: FoldLineProps) {
  const look = clsx(
    "fold-line flex h-7 w-full min-w-0 items-center gap-2 rounded px-2 text-start",
    open && well && "bg-sunken",
    !still && "hover:bg-sunken",
    className,
  );
  if (still) return <div className={look}>{children}</div>;
  return (
    <button type="button" aria-expanded={open} className={look} onClick={onToggle}>
      <ChevronRight
        size={12}
        aria-hidden="true"
        className={clsx("text-text-3", open && "rotate-90")}
      />
      {children}
    </button>
  );
}
