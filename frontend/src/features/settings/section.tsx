import type { ReactNode } from "react";

interface GroupProps {
  title: string;
  /** A sentence below the title. */
  text?: ReactNode;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A group of settings in a section, with a title of its own. */
export function Group({ title, text, actions, children }: GroupProps) {
  return (
    <section aria-label={title} className="border-t border-border py-5 first:border-t-0 first:pt-0">
      <header className="mb-3 flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-[16rem] flex-1">
          <h4 className="font-semibold">{title}</h4>
          {text && <p className="mt-0.5 max-w-[72ch] text-text-2">{text}</p>}
        </div>
        {actions}
      </header>
      {children}
    </section>
  );
}

/** A list of rows with lines between them. */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul
      aria-label={label}
      className="divide-y divide-border rounded border border-border bg-surface empty:hidden"
    >
      {children}
    </ul>
  );
}
