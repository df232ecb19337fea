import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon?: LucideIcon;
  /** The purpose of this view, or why it is empty. */
  title: string;
  text?: ReactNode;
  /** The one next action. */
  action?: ReactNode;
}

/** The content of a view without data. */
export function EmptyState({ icon: Icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-1 p-6 text-center">
      {Icon && <Icon size={20} className="mb-2 text-text-3" aria-hidden="true" />}
      <p className="font-semibold text-text">{title}</p>
      {text && <p className="max-w-[44ch] text-text-2">{text}</p>}
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
