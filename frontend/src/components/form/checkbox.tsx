import type { ReactNode } from "react";

interface CheckboxProps {
  title: ReactNode;
  /** A description below the title. */
  text: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** A check box with a description. The box is drawn here: WebKit's own stays white in the dark theme. */
export function Checkbox({ title, text, checked, onChange }: CheckboxProps) {
  return (
    <label className="flex items-start gap-2.5">
      <input
        type="checkbox"
        className="mt-px grid size-4 flex-none appearance-none place-content-center rounded-sm border border-border-strong bg-surface before:hidden before:size-2.5 before:bg-on-accent before:[clip-path:polygon(0_55%,16%_38%,38%_60%,84%_10%,100%_26%,38%_92%)] checked:border-accent checked:bg-accent checked:before:block"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="min-w-0">
        {title}
        <span className="block text-sm text-text-3">{text}</span>
      </span>
    </label>
  );
}
