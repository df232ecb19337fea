import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Tooltip } from "@/components/text/tooltip";
import { type CommandName, useCommandKey } from "@/lib/keys/commands";
import { ariaChord } from "@/lib/keys/keys";

interface IconButtonProps extends Omit<ComponentProps<"button">, "children" | "title"> {
  icon: LucideIcon;
  /** The name, also the tooltip. */
  label: string;
  /** The action that it runs: the tooltip shows its key. */
  command?: CommandName;
  /** The key, if there is no command. */
  keys?: string;
  side?: "top" | "right" | "bottom" | "left";
}

/** A button with an icon only: it has a name, and a tooltip that shows its key. */
export function IconButton({
  icon: Icon,
  label,
  command,
  keys,
  side,
  className,
  ...rest
}: IconButtonProps) {
  const commandKey = useCommandKey(command);
  const chord = keys ?? commandKey;
  return (
    <Tooltip text={label} keys={chord} side={side}>
      <button
        type="button"
        aria-label={label}
        aria-keyshortcuts={chord && ariaChord(chord)}
        className={clsx(
          "inline-flex size-7 shrink-0 items-center justify-center rounded text-text-2 hover:bg-sunken hover:text-text active:bg-border",
          "aria-pressed:bg-accent-soft aria-pressed:text-text data-[state=open]:bg-sunken",
          "disabled:pointer-events-none disabled:opacity-50",
          className,
        )}
        {...rest}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}
