import clsx from "clsx";
import type { LucideIcon } from "lucide-react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";

interface HeaderActionProps {
  icon: LucideIcon;
  label: string;
  keys?: string | undefined;
  onClick: () => void;
  /** It is in a menu, too, and left out where the line is very narrow. */
  isSpare?: boolean;
}

/** A button of the line above the transcript. Where that is narrow it shows only its icon. */
export function HeaderAction({ icon: Icon, label, keys, onClick, isSpare }: HeaderActionProps) {
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <Button
        aria-label={label}
        className={clsx("@max-5xl:px-1.5", isSpare && "@max-lg:hidden")}
        onClick={onClick}
      >
        <Icon size={16} aria-hidden="true" className="hidden @max-5xl:block" />
        <span className="@max-5xl:hidden">{label}</span>
      </Button>
    </Tooltip>
  );
}
