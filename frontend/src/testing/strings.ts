// Reads the texts of the sources: what is in the catalogues, and what is on screen without being in them.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseSync } from "vite";

interface Node {
  type: string;
  start: number;
  [property: string]: unknown;
}

/** A text that the catalogues must have. */
export interface Text {
  key: string;
  /** Whether it has plural forms: the catalogues have the key with _one, _other and so on. */
  isPlural: boolean;
  /** Where it is used first. */
  file: string;
}

/** A text on screen that is not in the catalogues. */
export interface Untranslated {
  file: string;
  line: number;
  text: string;
}

const root = join(import.meta.dirname, "..");
const contextSeparator = "|";

/** Returns the source files of the window, without tests. */
export function sourceFiles(): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|^wailsjs|^testing|\.d\.ts$/.test(name))
    .sort();
}

/** Returns all texts of the sources, by key, and what is wrong with how they are written. */
export function extractTexts(): { texts: Map<string, Text>; problems: string[] } {
  const texts = new Map<string, Text>();
  const problems: string[] = [];
  const add = (file: string, key: string, isPlural: boolean) => {
    const known = texts.get(key);
    if (known && known.isPlural !== isPlural)
      problems.push(`${file}: ${JSON.stringify(key)} is used with and without plural forms`);
    if (!known) texts.set(key, { key, isPlural, file });
  };
  for (const file of sourceFiles()) {
    walk(parse(file), (node) => {
      if (node.type !== "CallExpression") return true;
      const called = (node.callee as Node).name as string;
      const given = node.arguments as Node[];
      if (called === "t" || called === "msg") {
        const literals = literalsOf(given[0]);
        if (!literals)
          problems.push(`${at(file, node)}: ${called} wants a text, not an expression`);
        for (const text of literals ?? []) add(file, withContext(text, given[1]), false);
      }
      if (called === "plural") {
        const [one, many] = [literalsOf(given[1]), literalsOf(given[2])];
        if (one?.length !== 1 || many?.length !== 1)
          problems.push(`${at(file, node)}: plural wants two texts, not expressions`);
        else add(file, withContext(many[0] ?? "", given[3]), true);
      }
      if (called === "formatPlural") addCounted(given, (key) => add(file, key, true));
      return true;
    });
  }
  for (const { title } of Object.values(readTable("commands")))
    add("lib/keys/commands.json", title, false);
  for (const { title } of Object.values(readTable("menu")))
    add("lib/keys/menu.json", `${title}|menu`, false);
  return { texts, problems };
}

/** The nouns of formatPlural are put behind the number. */
function addCounted([, one, many]: Node[], add: (key: string) => void): void {
  const [singulars, plurals] = [literalsOf(one), literalsOf(many)];
  for (const noun of plurals ?? singulars?.map((one) => `${one}s`) ?? []) add(`{{count}} ${noun}`);
}

/** The titles of a file of lib/keys. */
function readTable(name: "commands" | "menu"): Record<string, { title: string }> {
  return JSON.parse(readFileSync(join(root, `lib/keys/${name}.json`), "utf8"));
}

const sources = new Map<string, string>();

function parse(file: string): Node {
  const code = readFileSync(join(root, file), "utf8");
  sources.set(file, code);
  const { program, errors } = parseSync(file, code, { lang: file.endsWith("x") ? "tsx" : "ts" });
  if (errors.length > 0) throw new Error(`parse ${file}: ${errors[0]?.message}`);
  return program as unknown as Node;
}

function at(file: string, node: Node): string {
  return `${file}:${lineOf(file, node)}`;
}

function lineOf(file: string, { start }: Node): number {
  return (sources.get(file) ?? "").slice(0, start).split("\n").length;
}

/** Visits a node and, as long as `visit` returns true, what is below it. */
function walk(
  node: Node,
  visit: (node: Node, parents: Node[]) => boolean,
  parents: Node[] = [],
): void {
  if (!visit(node, parents)) return;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child === "object" && child !== null && typeof child.type === "string")
        walk(child as Node, visit, [...parents, node]);
    }
  }
}

/** Returns the texts that an expression may be; undefined if it is more than a choice of literals. */
function literalsOf(node: Node | undefined): string[] | undefined {
  if (!node) return undefined;
  if (node.type === "Literal" && typeof node.value === "string") return [node.value];
  if (node.type === "TemplateLiteral" && (node.expressions as Node[]).length === 0)
    return (node.quasis as Node[]).map(cookedOf);
  if (node.type === "ParenthesizedExpression") return literalsOf(node.expression as Node);
  if (node.type !== "ConditionalExpression") return undefined;
  const [yes, no] = [literalsOf(node.consequent as Node), literalsOf(node.alternate as Node)];
  return yes && no && [...yes, ...no];
}

function cookedOf({ value }: Node): string {
  return (value as { cooked: string }).cooked;
}

function withContext(text: string, values: Node | undefined): string {
  const properties = (values?.properties ?? []) as Node[];
  const context = properties.find(({ key }) => (key as Node | undefined)?.name === "context");
  const [value] = literalsOf(context?.value as Node | undefined) ?? [];
  return value === undefined ? text : `${text}${contextSeparator}${value}`;
}

/** Properties and attributes whose texts are on screen. */
const shown =
  /^(title|label|aria-label|aria-description|aria-valuetext|aria-roledescription|placeholder|text|alt|hint|empty|failed|heading|description|action|words|error|message|note|summary|caption|verb|noun|tooltip)$/;
/** Properties and attributes whose texts are not. */
const unseen =
  /^(className|class|style|key|id|htmlFor|name|value|type|role|keys|chord|scope|group|variant|align|side|href|rel|d|viewBox|transform|fill|stroke|queryKey|kind|source|data-.*|aria-(live|haspopup|orientation|keyshortcuts|labelledby|describedby|controls|owns|current|sort|autocomplete|atomic|relevant))$/;
const translating = new Set(["t", "msg", "plural", "formatPlural"]);

/** Returns the texts of the sources that look as if they were on screen but are not in the catalogues. */
export function untranslatedTexts(): Untranslated[] {
  const found: Untranslated[] = [];
  for (const file of sourceFiles()) {
    if (/^lib\/(i18n|format\/(providers|sources))/.test(file)) continue;
    walk(parse(file), (node, parents) => {
      if (isHidden(node, parents)) return false;
      const text = textOf(node);
      if (text === undefined || technical.has(text.trim()) || classes.test(text)) return true;
      const isText = isShown(node, parents) ? /\p{L}{2}/u.test(text) : looksSpoken(text);
      if (isText)
        found.push({ file, line: lineOf(file, node), text: text.trim().replace(/\s+/g, " ") });
      return true;
    });
  }
  return found;
}

function textOf(node: Node): string | undefined {
  if (node.type === "JSXText") return node.value as string;
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  if (node.type === "TemplateLiteral") return (node.quasis as Node[]).map(cookedOf).join("…");
  return undefined;
}

function isHidden(node: Node, parents: Node[]): boolean {
  if (node.type.startsWith("TS") && !/^TS(As|Satisfies|NonNull)Expression$/.test(node.type))
    return true;
  if (/^(Import|ExportAll)/.test(node.type)) return true;
  if (node.type === "CallExpression") return translating.has((node.callee as Node).name as string);
  if (node.type === "NewExpression") return /Error$/.test(String((node.callee as Node).name));
  const parent = parents.at(-1);
  if (parent?.type === "BinaryExpression" && /^[!=]==$/.test(parent.operator as string))
    return node.type === "Literal";
  if (parent?.type === "SwitchCase" && parent.test === node) return true;
  if (parent?.type === "Property" && parent.key === node) return true;
  return unseen.test(nameOf(node) ?? "");
}

/** Returns the name of an attribute or a property. */
function nameOf(node: Node): string | undefined {
  if (node.type === "JSXAttribute") return (node.name as Node).name as string;
  if (node.type === "Property")
    return ((node.key as Node).name ?? (node.key as Node).value) as string;
  return undefined;
}

function isShown(node: Node, parents: Node[]): boolean {
  if (node.type === "JSXText") return true;
  const named = parents.findLast(
    ({ type }) => !/Conditional|Logical|ExpressionContainer|Template/.test(type),
  );
  return named !== undefined && shown.test(nameOf(named) ?? "");
}

/** Reports whether a string that may be anything is words for the user: two words, or one with a capital at its beginning. */
function looksSpoken(text: string): boolean {
  if (
    /^(Arrow|Page)(Up|Down|Left|Right)$|^(Escape|Enter|Home|End|Tab|Delete|Backspace|Space|Shift|Control|Alt|Mod)\b/.test(
      text,
    )
  )
    return false;
  if (/[[\]{}=;:/_\\]|--|(^|\s)[a-z]+-[a-z0-9]/.test(text))
    return /^[A-Z][a-z]+ [a-z]+ /.test(text);
  return (
    /^[A-Z][a-z]+/.test(text) ||
    /\p{L}{2,}[ ,]+\p{L}{2,}/u.test(text) ||
    /…?\s\p{L}{3,}|\p{L}{2,} …|… \p{L}{2,}/u.test(text)
  );
}

/** Lists of classes. */
const classes = /(^|\s)(bg|text|border|flex|grid|min|max|rounded|fill|stroke)-|^\[/;

/** Names, examples and values that look like words. */
const technical = new Set([
  "Coppice",
  "HTML",
  "Markdown",
  "SVG",
  "PNG",
  "DOT",
  "CSV",
  "OpenTelemetry",
  "JSON",
  "Google Gemini",
  "Ollama",
  "ApiError",
  "Session",
  "Tree",
  "Find",
  "Library",
  "View",
  "Help",
  "Mod",
  "Meta",
  "Control",
  "Ctrl",
  "Arrow",
  "Minus",
  "day of year",
  "day and year",
  "day in words",
  "short day",
  "month and year",
  "tree arrived",
  "undo …",
  "run …",
  "row …",
  "work …",
  "phase … …",
  "formula display",
  "pre.code, pre.verbatim",
  "script, iframe, object, embed",
  "demo",
  "tree layout",
  "…px …",
  "line …",
  "missing …",
  "…\n…\n…\ncode: …",
  "reviewer",
  "github",
  "npx",
  "my-server",
  "https://host/v1",
  "https://host/mcp",
  "-y @modelcontextprotocol/server-github",
  "/home/ada/src/notes.md",
]);

/** Returns the path of the catalogue of a language. */
export function cataloguePath(language: string): string {
  return join(root, "lib/i18n/catalogues", `${language}.json`);
}

/** Counts texts by the folder that they are in. */
export function byFolder(files: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const file of files) {
    const [top = "", next = ""] = relative(".", file).split("/");
    const folder = next.includes(".") ? top : `${top}/${next}`;
    counts[folder] = (counts[folder] ?? 0) + 1;
  }
  return counts;
}
