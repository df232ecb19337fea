// Which sessions are selected, as in any list of a desktop: a click takes one, Ctrl adds or takes
// away, Shift goes on from where the last one was taken.

export interface Selection {
  ids: ReadonlySet<string>;
  /** Where the keys are. */
  focusId: string;
  /** Where a range begins. */
  anchorId: string;
}

export const nothing: Selection = { ids: new Set(), focusId: "", anchorId: "" };

/** Which keys were held. */
export interface Held {
  shift: boolean;
  control: boolean;
}

/** The selection after a click, or an arrow key that came to `id`. `order` are the ids from top to bottom. */
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

/** Moves the keys without selecting. */
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

/** Selects only the one where the keys are. */
export function takeFocused(selection: Selection): Selection {
  const { focusId } = selection;
  return { ids: new Set(focusId ? [focusId] : []), focusId, anchorId: focusId };
}

/**
 * Forgets what has left the list. The keys, where theirs has left, go to what took its place:
 * the one that stood at its position in the order before.
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

/** What stands in the place of `ids` when they have left: the one below the last of them, else above. */
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
 * Where a key leads from the position `at` (-1: nowhere yet) in a list of so many; undefined for
 * a key that does not move.
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
