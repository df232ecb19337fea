// What can be exported, and under which name.

import { t } from "@/lib/i18n/i18n";

export type Format =
  | "html"
  | "md"
  | "txt"
  | "json"
  | "jsonl"
  | "svg"
  | "png"
  | "dot"
  | "csv"
  | "otlp";
export type Scope = "path" | "alternatives" | "branches" | "turn" | "turns" | "tree";
export type Detail = "full" | "compact" | "prompts";

export interface ExportOptions {
  format: Format;
  scope: Scope;
  detail: Detail;
  redact: boolean;
  /** An HTML page carries its JSON. */
  withJson: boolean;
  /** Words of the user that are redacted, too. */
  words: string[];
}

export const usualOptions: ExportOptions = {
  format: "html",
  scope: "path",
  detail: "full",
  redact: false,
  withJson: false,
  words: [],
};

export interface FormatChoice {
  format: Format;
  title: string;
  text: string;
}

/** The formats, by what they are for. */
export const formatGroups = (): { title: string; formats: FormatChoice[] }[] => [
  {
    title: t("To read"),
    formats: [
      { format: "html", title: "HTML", text: t("One page for any browser") },
      { format: "md", title: "Markdown", text: t("To read, paste or commit") },
      { format: "txt", title: t("Text"), text: t("For terminals and mail") },
    ],
  },
  {
    title: t("Data"),
    formats: [
      { format: "json", title: "JSON", text: t("Everything, to import again") },
      { format: "jsonl", title: t("JSON lines"), text: t("A line per message") },
      { format: "csv", title: "CSV", text: t("Tokens and cost of each model call") },
      { format: "otlp", title: "OpenTelemetry", text: t("Spans, for trace viewers") },
    ],
  },
  {
    title: t("Picture of the tree"),
    formats: [
      { format: "svg", title: "SVG", text: t("A picture of the tree, for any size") },
      { format: "png", title: "PNG", text: t("A picture of the tree") },
      { format: "dot", title: "DOT", text: t("The tree, for Graphviz") },
    ],
  },
];

const formats = () => formatGroups().flatMap((group) => group.formats);

export const details = (): { detail: Detail; title: string; text: string }[] => [
  { detail: "full", title: t("Full"), text: t("Long outputs are abridged") },
  { detail: "compact", title: t("Compact"), text: t("A line for each tool call") },
  { detail: "prompts", title: t("Prompts and answers"), text: t("Without the steps between") },
];

const isText = (format: Format) => format === "html" || format === "md" || format === "txt";

/** Reports whether a format draws the whole tree. */
export const isPicture = (format: Format) =>
  format === "svg" || format === "png" || format === "dot";

/** Reports whether several sessions become one file. */
const isArchive = (format: Format) => !isText(format) && !isPicture(format);

/** Data always has everything. */
export function allowsDetail(format: Format, detail: Detail): boolean {
  return detail === "full" || isText(format);
}

/** A page carries whole paths. */
export function allowsJson(format: Format, scope: Scope): boolean {
  return format === "html" && scope !== "turn" && scope !== "turns";
}

/** Folded alternatives and single turns are for people to read; branches are chosen of one session. */
export function allowsScope(format: Format, scope: Scope, sessions: number): boolean {
  if (isPicture(format)) return scope === "tree";
  switch (scope) {
    case "alternatives":
      return isText(format);
    case "turn":
    case "turns":
      return isText(format) && sessions === 1;
    case "branches":
      return sessions === 1 && format !== "csv" && format !== "otlp";
    default:
      return true;
  }
}

/** The options with a scope that the format and the number of sessions allow. */
export function soundOptions(options: Partial<ExportOptions>, sessions = 1): ExportOptions {
  const sound = { ...usualOptions, ...options };
  if (!formats().some(({ format }) => format === sound.format)) sound.format = usualOptions.format;
  if (!allowsScope(sound.format, sound.scope, sessions)) sound.scope = "tree";
  if (!details().some(({ detail }) => detail === sound.detail)) sound.detail = "full";
  if (!allowsDetail(sound.format, sound.detail)) sound.detail = "full";
  if (!allowsJson(sound.format, sound.scope)) sound.withJson = false;
  return sound;
}

/** A file or folder name that every system takes, of a title or of a number of sessions. */
export function suggestedName(
  titles: readonly string[],
  format: Format,
  several = `coppice-${titles.length}-sessions`,
): string {
  const [title] = titles;
  const words = titles.length === 1 ? (title ?? "") : several;
  const name = words
    .normalize("NFC")
    .toLowerCase()
    // Letters and digits of any script, the rest becomes a line.
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const cut = [...name].slice(0, 60).join("").replace(/-+$/, "") || "session";
  // Names that Windows keeps for devices.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)$/.test(cut) ? `${cut}-session` : cut;
  const extension = format === "otlp" ? "otlp.json" : format;
  return titles.length === 1 || isArchive(format) ? `${safe}.${extension}` : safe;
}
