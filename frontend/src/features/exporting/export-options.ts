// What can be exported, and under which name.

export type Format = "html" | "md" | "json" | "jsonl";
export type Scope = "path" | "alternatives" | "tree";
export type Detail = "full" | "compact" | "prompts";

export interface ExportOptions {
  format: Format;
  scope: Scope;
  detail: Detail;
  redact: boolean;
}

export const usualOptions: ExportOptions = {
  format: "html",
  scope: "path",
  detail: "full",
  redact: false,
};

export const formats: { format: Format; title: string; text: string }[] = [
  { format: "html", title: "HTML", text: "One page for any browser" },
  { format: "md", title: "Markdown", text: "To read, paste or commit" },
  { format: "json", title: "JSON", text: "Everything, to import again" },
  { format: "jsonl", title: "JSON lines", text: "A line per message, for scripts" },
];

export const details: { detail: Detail; title: string; text: string }[] = [
  { detail: "full", title: "Full", text: "Long outputs are abridged" },
  { detail: "compact", title: "Compact", text: "A line for each tool call" },
  { detail: "prompts", title: "Prompts and answers", text: "Without the steps between" },
];

/** Data always has everything. */
export function allowsDetail(format: Format, detail: Detail): boolean {
  return detail === "full" || format === "html" || format === "md";
}

/** Folded alternatives are for people to read; data takes the path or the tree. */
export function allowsScope(format: Format, scope: Scope): boolean {
  return scope !== "alternatives" || format === "html" || format === "md";
}

/** The options with a scope that the format allows. */
export function soundOptions(options: Partial<ExportOptions>): ExportOptions {
  const sound = { ...usualOptions, ...options };
  if (!formats.some(({ format }) => format === sound.format)) sound.format = usualOptions.format;
  if (!allowsScope(sound.format, sound.scope)) sound.scope = "tree";
  if (!details.some(({ detail }) => detail === sound.detail)) sound.detail = "full";
  if (!allowsDetail(sound.format, sound.detail)) sound.detail = "full";
  return sound;
}

/** A file name that every system takes, of a title or of a number of sessions. */
export function suggestedName(titles: readonly string[], format: Format): string {
  const [title] = titles;
  const words = titles.length === 1 ? (title ?? "") : `coppice-${titles.length}-sessions`;
  const name = words
    .normalize("NFC")
    .toLowerCase()
    // Letters and digits of any script, the rest becomes a line.
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const cut = [...name].slice(0, 60).join("").replace(/-+$/, "") || "session";
  // Names that Windows keeps for devices.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)$/.test(cut) ? `${cut}-session` : cut;
  return `${safe}.${format}`;
}
