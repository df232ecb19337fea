// What can be done with a message, a turn or a session, defined once: menus, toolbars, the palette, the shortcuts sheet
// and the keyboard derive from it. Names, titles and keys are in lib/keys/commands.json.

import type { LucideIcon } from "lucide-react";
import type { MenuAction, MenuEntry } from "@/components/menu/menu-entry";
import { type CommandName, commandSpec, type Offer, useOffers } from "@/lib/keys/commands";

/** An action on a target. */
export interface Action<Target> {
  name: CommandName;
  icon?: LucideIcon;
  /** Replaces the title of the table. */
  title?: (target: Target) => string;
  /** Reports whether a menu lists the action at all. Default: always. */
  isOffered?: (target: Target) => boolean;
  /** Reports whether it can run now. Default: always. */
  isEnabled?: (target: Target) => boolean;
  /** Its keys belong to another part of the window: a menu does not show them, and it is not registered here. */
  isKeyless?: boolean;
  danger?: boolean;
  run: (target: Target) => void;
}

/** Returns the title of an action. */
export function titleOf<Target>({ name, title }: Action<Target>, target: Target): string {
  return title?.(target) ?? commandSpec(name).title;
}

/** Returns the entry of an action in a menu. */
export function actionEntry<Target>(action: Action<Target>, target: Target): MenuAction {
  const { name, icon, isEnabled, isKeyless, danger, run } = action;
  return {
    title: titleOf(action, target),
    ...(icon && { icon }),
    ...(danger && { danger }),
    ...(!isKeyless && { keys: commandSpec(name).keys[0] }),
    ...(isEnabled && { disabled: !isEnabled(target) }),
    onSelect: () => run(target),
  };
}

/** Returns the entries of those actions that are offered for a target. */
export function actionEntries<Target>(
  actions: readonly (Action<Target> | "separator")[],
  target: Target,
): MenuEntry[] {
  const offered = actions.filter(
    (action) => action === "separator" || (action.isOffered?.(target) ?? true),
  );
  return offered
    .filter((action, at) => action !== "separator" || (at > 0 && offered[at - 1] !== "separator"))
    .map((action) => (action === "separator" ? action : actionEntry(action, target)));
}

/**
 * Registers actions for the palette, the native menu and the keyboard. The target is looked up when one runs. With
 * `shown`, the target of this moment, those that do not apply to it are listed as disabled.
 */
export function useActions<Target>(
  actions: readonly (Action<Target> | "separator")[],
  lookUp: () => Target | undefined,
  shown?: { target: Target | undefined },
): void {
  const offers: Offer[] = [];
  for (const action of actions) {
    if (action === "separator" || action.isKeyless) continue;
    offers.push({
      name: action.name,
      run: () => {
        const target = lookUp();
        if (target !== undefined && applies(action, target)) action.run(target);
      },
      ...(shown && { options: optionsFor(action, shown.target) }),
    });
  }
  useOffers(offers);
}

function optionsFor<Target>(action: Action<Target>, target: Target | undefined) {
  if (target === undefined) return { enabled: false };
  return { enabled: applies(action, target), title: titleOf(action, target) };
}

function applies<Target>({ isOffered, isEnabled }: Action<Target>, target: Target): boolean {
  return (isOffered?.(target) ?? true) && (isEnabled?.(target) ?? true);
}
