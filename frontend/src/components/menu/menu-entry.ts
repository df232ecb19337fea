import type { LucideIcon } from "lucide-react";

/** An entry of a menu, or a separator between groups. */
export type MenuEntry =
  | "separator"
  | {
      title: string;
      /** A heading: not selectable. */
      heading: true;
    }
  | MenuAction;

/** An entry of a menu that can be chosen. */
export interface MenuAction {
  title: string;
  heading?: undefined;
  icon?: LucideIcon;
  /** A second line of text. */
  detail?: string;
  /** Shown at the right, such as a count. */
  note?: string;
  /** The chord that does the same. */
  keys?: string;
  disabled?: boolean;
  danger?: boolean;
  /** If defined, a mark shows whether it is on. With `stay` the menu remains open. */
  checked?: boolean;
  stay?: boolean;
  onSelect?: () => void;
  /** If defined, opens a submenu with these entries. */
  entries?: MenuEntry[];
}
