import type { LucideIcon } from "lucide-react";

/** A line of a menu, or a line between groups. */
export type MenuEntry =
  | "separator"
  | {
      title: string;
      /** A heading: not selectable. */
      heading: true;
    }
  | MenuAction;

/** A line of a menu that can be chosen. */
export interface MenuAction {
  title: string;
  heading?: undefined;
  icon?: LucideIcon;
  /** A second line. */
  detail?: string;
  /** At the right, such as a count. */
  note?: string;
  /** The chord that does the same. */
  keys?: string;
  disabled?: boolean;
  danger?: boolean;
  /** Defined: a mark tells whether it is on. The menu stays open where `stay`. */
  checked?: boolean;
  stay?: boolean;
  onSelect?: () => void;
  /** Defined: opens to these. */
  entries?: MenuEntry[];
}
