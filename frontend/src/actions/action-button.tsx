import type { ComponentProps } from "react";
import { IconButton } from "@/components/form/icon-button";
import { type Action, actionEntry } from "./action";

interface ActionButtonProps<Target>
  extends Pick<ComponentProps<typeof IconButton>, "className" | "side"> {
  action: Action<Target>;
  target: Target;
}

/** The button of an action in a toolbar; the action must have an icon. */
export function ActionButton<Target>({ action, target, ...look }: ActionButtonProps<Target>) {
  const { title, icon, keys, disabled, onSelect } = actionEntry(action, target);
  if (!icon) return null;
  return (
    <IconButton
      icon={icon}
      label={title.replace(/…$/, "")}
      keys={keys}
      disabled={disabled}
      onClick={onSelect}
      {...look}
    />
  );
}
