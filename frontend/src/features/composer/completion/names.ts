// "@reviewer …" speaks to one agent of a team, "/review …" sends a command of the user: what is typed of a name is completed.

/** The character before the name of an agent, or of a command. */
export type Mark = "@" | "/";

/** Returns what is typed of a name after its mark, which begins the text; undefined: nothing is to be completed. */
export function typedName(text: string, mark: Mark): string | undefined {
  const found = /^\s*([@/])([\w-]*)$/.exec(text);
  return found?.[1] === mark ? found[2] : undefined;
}

/** Returns the names that begin with what is typed, in their order. One that is complete has nothing to add. */
export function namesFor(typed: string | undefined, names: readonly string[]): string[] {
  if (typed === undefined) return [];
  const begin = typed.toLowerCase();
  return names.filter((name) => name.toLowerCase().startsWith(begin));
}
