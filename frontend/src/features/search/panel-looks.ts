// Styles that the groups and entries of the search panel share.

/** A group and its heading. */
export const groupLook =
  "[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-text-3";

/** An entry that can be chosen. */
export const itemLook =
  "flex min-h-8 cursor-default items-center gap-2.5 rounded px-2.5 py-1 data-[selected=true]:bg-accent-soft";

/** The list of what was found. */
export const listLook = "min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5";
