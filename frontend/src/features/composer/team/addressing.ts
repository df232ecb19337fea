// "@reviewer …" speaks to one agent of a team: what is typed of a name is completed.

/** Returns what is typed of an agent's name, which begins the text; undefined: nothing is to be completed. */
export function typedName(text: string): string | undefined {
  return /^\s*@([\w-]*)$/.exec(text)?.[1];
}

/** Returns the names that begin with what is typed, in their order. One that is complete has nothing to add. */
export function namesFor(typed: string | undefined, names: readonly string[]): string[] {
  if (typed === undefined) return [];
  const begin = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(begin));
}
