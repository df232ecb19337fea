import clsx from "clsx";
import type { ReactNode } from "react";
import type { Completion } from "./use-completion";

interface NameListProps {
  completion: Completion;
  label: string;
  /** Draws the row of a name. */
  children: (name: string) => ReactNode;
}

/** The names that complete what is typed. The focus stays in the field. */
export function NameList({ completion, label, children }: NameListProps) {
  const { id, found, active, choose, optionId } = completion;
  if (found.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={label}
      className="mx-2 mt-2 max-h-48 overflow-auto rounded border border-border py-1"
    >
      {found.map((name, at) => (
        <div
          key={name}
          id={optionId(at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            choose(name);
          }}
          className={clsx(
            "flex h-7 cursor-pointer items-center gap-3 px-2",
            at === active ? "bg-accent-soft" : "hover:bg-sunken",
          )}
        >
          {children(name)}
        </div>
      ))}
    </div>
  );
}
