// The selected sessions, as in a desktop list: a click selects one, Ctrl adds or removes one,
// Shift extends the range from the last one selected.

export interface Selection {
  ids: ReadonlySet<string>;
  /** The focused row. */
  focusId: string;
  /** The start of a range. */
  anchorId: string;
}

export const nothing: Selection = { ids: new Set(), focusId: "", anchorId: "" };

/** The modifier keys. */
export interface Held {
  shift: boolean;
  control: boolean;
}

/** The selection after a click, or an arrow key that moved to `id`. `order` are the ids from top to bottom. */
export function take(
  selection: Selection,
  order: readonly string[],
  id: string,
  { shift, control }: Held,
): Selection {
  if (shift) {
    const range = between(order, selection.anchorId || id, id);
    const ids = control ? new Set([...selection.ids, ...range]) : new Set(range);
    return { ids, focusId: id, anchorId: selection.anchorId || id };
  }
  if (control) {
    const ids = new Set(selection.ids);
    if (!ids.delete(id)) ids.add(id);
    return { ids, focusId: id, anchorId: id };
  }
  return { ids: new Set([id]), focusId: id, anchorId: id };
}

/** Moves the focus without selecting. */
export function moveFocus(selection: Selection, id: string): Selection {
  return { ...selection, focusId: id };
}

/** Selects everything. */
export function takeAll(selection: Selection, order: readonly string[]): Selection {
  const first = order[0] ?? "";
  return {
    ids: new Set(order),
    focusId: selection.focusId || first,
    anchorId: selection.anchorId || first,
  };
}

/** Selects only the focused row. */
export function takeFocused(selection: Selection): Selection {
  const { focusId } = selection;
  return { ids: new Set(focusId ? [focusId] : []), focusId, anchorId: focusId };
}

/**
 * Drops sessions that have left the list. If the focused one has left, the focus moves to the row that is now
 * in its position.
 */
export function prune(
  selection: Selection,
  before: readonly string[],
  order: readonly string[],
): Selection {
  const there = new Set(order);
  const ids = [...selection.ids].filter((id) => there.has(id));
  if (ids.length === selection.ids.size && (!selection.focusId || there.has(selection.focusId)))
    return selection;
  let focusId = selection.focusId;
  if (!there.has(focusId)) {
    const at = before.indexOf(focusId);
    const after = at < 0 ? [] : before.slice(at + 1);
    const above = at < 0 ? [] : before.slice(0, at);
    focusId = after.find((id) => there.has(id)) ?? above.findLast((id) => there.has(id)) ?? "";
  }
  const anchorId = there.has(selection.anchorId) ? selection.anchorId : focusId;
  return { ids: new Set(ids), focusId, anchorId };
}

/** The row in the position of `ids` after they have left: the one below the last of them, otherwise above. */
export function neighbour(order: readonly string[], ids: readonly string[]): string | undefined {
  const gone = new Set(ids);
  const last = order.findLastIndex((id) => gone.has(id));
  return (
    order.slice(last + 1).find((id) => !gone.has(id)) ??
    order.slice(0, Math.max(0, last)).findLast((id) => !gone.has(id))
  );
}

function between(order: readonly string[], from: string, to: string): string[] {
  const start = order.indexOf(from);
  const end = order.indexOf(to);
  if (end < 0) return [];
  if (start < 0) return [to];
  return order.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * The target of a key from the position `at` (-1: none yet) in a list of the given length; undefined for
 * a key that does not move the focus.
 */
export function moveTo(key: string, at: number, count: number, page: number): number | undefined {
  const last = count - 1;
  const clamp = (position: number) => Math.min(last, Math.max(0, position));
  switch (key) {
    case "ArrowDown":
      return clamp(at + 1);
    case "ArrowUp":
      return clamp(at < 0 ? 0 : at - 1);
    case "PageDown":
      return clamp(at + page);
    case "PageUp":
      return clamp(at - page);
    case "Home":
      return clamp(0);
    case "End":
      return clamp(last);
    default:
      return undefined;
  }
}
