/** A line of a unified diff. */
export interface PreviewLine {
  kind: "add" | "del" | "file" | "hunk" | "same";
  text: string;
}

/** Reports whether a text is a unified diff. */
export function isDiff(text: string): boolean {
  return /^(--- |diff --git |@@ )/.test(text) && /^@@ /m.test(text);
}

/** The lines of what a call would do. A command is shown as it is, also where it looks like a diff: all of it would run. */
export function readPreview(text: string, toolName: string): PreviewLine[] {
  if (text === "") return [];
  if (toolName !== "run_command" && isDiff(text)) return readDiff(text);
  return divide(text).map((text) => ({ kind: "same", text }));
}

/** The lines of a unified diff, each with what it says; of one file without the file's name, which is said above it. */
export function readDiff(text: string): PreviewLine[] {
  const lines = readAll(text);
  const files = lines.filter((line) => line.kind === "file" && line.text.startsWith("+++ ")).length;
  return files === 1 ? lines.filter(({ kind }) => kind !== "file") : lines;
}

function readAll(text: string): PreviewLine[] {
  let inHunk = false;
  return divide(text).map((line): PreviewLine => {
    if (/^@@ /.test(line)) inHunk = true;
    else if (/^(diff --git |Index: )/.test(line)) inHunk = false;
    return { kind: kindOf(line, inHunk), text: line };
  });
}

function divide(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function kindOf(line: string, inHunk: boolean): PreviewLine["kind"] {
  if (line.startsWith("@@ ")) return "hunk";
  if (!inHunk) return "file";
  if (line.startsWith("+")) return "add";
  if (line.startsWith("-")) return "del";
  return "same";
}
