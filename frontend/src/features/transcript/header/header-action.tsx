import type { LucideIcon } from "lucide-react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";

interface HeaderActionProps {
  icon: LucideIcon;
  label: string;
  keys?: string | undefined;
  onClick: () => void;
}

/** A button of the line above the transcript. Where that is narrow it shows only its icon. */
export function HeaderAction({ icon: Icon, label, keys, onClick }: HeaderActionProps) {
  return (
    <Tooltip text={label} {...(keys === undefined ? {} : { keys })}>
      <Button aria-label={label} className="@max-3xl:px-1.5" onClick={onClick}>
        <Icon size={16} aria-hidden="true" className="hidden @max-3xl:block" />
        <span className="@max-3xl:hidden">{label}</span>
      </Button>
    </Tooltip>
  );
}
