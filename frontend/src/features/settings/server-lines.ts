/** Writes values by name as lines NAME=value, to be edited as text. */
export function toLines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

/** Reads lines NAME=value. Lines without a name are skipped; a line without = is a name without a value. */
export function fromLines(text: string): Record<string, string> {
  const values: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, name = "", value = ""] = /^\s*([^=]*?)\s*(?:=(.*))?$/.exec(line) ?? [];
    if (name) values[name] = value.trim();
  }
  return values;
}

/** Splits arguments at spaces; quotes keep spaces together. */
export function splitArguments(text: string): string[] {
  const found = text.match(/"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']+/g) ?? [];
  return found.map((one) => {
    if (one.startsWith("'")) return one.slice(1, -1);
    return one.startsWith('"') ? one.slice(1, -1).replace(/\\(.)/g, "$1") : one;
  });
}

/** Joins arguments so that splitArguments returns them again. */
export function joinArguments(args: readonly string[]): string {
  return args
    .map((arg) => (/^[^\s"']+$/.test(arg) ? arg : `"${arg.replace(/["\\]/g, "\\$&")}"`))
    .join(" ");
}
