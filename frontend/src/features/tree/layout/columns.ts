// Columns are typed arrays, read through these: the compiler cannot know that an index is in range. A loop over all turns or
// strands reads them itself, by index: it is run once when a tree opens, before the engine has made anything of calls,
// iterators and callbacks, and is several times as quick without them.

/** The number at a place of a column. The place is in range. */
export function int(column: Int32Array, index: number): number {
  return column[index] as number;
}

/** The byte at a place of a column; 0 beyond its end, so that a column may lag behind a growing tree. */
export function byte(column: Uint8Array, index: number): number {
  return column[index] ?? 0;
}

/** How many places of a column hold a 1; the others hold a 0. */
export function countSet(column: Uint8Array): number {
  let count = 0;
  for (let place = 0; place < column.length; place++) count += column[place] as number;
  return count;
}

/** Where each group's members begin when members are sorted by group; one entry more than groups. */
export function groupStarts(groups: number, groupOf: Int32Array): Int32Array {
  const starts = new Int32Array(groups + 1);
  for (let member = 0; member < groupOf.length; member++) {
    const group = groupOf[member] as number;
    if (group >= 0) starts[group + 1] = (starts[group + 1] as number) + 1;
  }
  for (let group = 0; group < groups; group++)
    starts[group + 1] = (starts[group + 1] as number) + (starts[group] as number);
  return starts;
}

/** The members of all groups, group by group, in their own order; `starts` as of groupStarts. Members of group -1 are left out. */
export function groupMembers(starts: Int32Array, groupOf: Int32Array): Int32Array {
  const groups = starts.length - 1;
  const members = new Int32Array(int(starts, groups));
  const next = starts.slice();
  for (let member = 0; member < groupOf.length; member++) {
    const group = groupOf[member] as number;
    if (group < 0) continue;
    const place = next[group] as number;
    members[place] = member;
    next[group] = place + 1;
  }
  return members;
}
