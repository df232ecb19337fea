/** A line of a unified diff. */
export interface PreviewLine {
  kind: "add" | "del" | "file" | "hunk" | "same";
  text: string;
}

/** More lines than this are not drawn: nobody reads them before they say yes. */
const mostLines = 2000;

/** Says whether a text is a unified diff. */
export function isDiff(text: string): boolean {
  return /^(--- |diff --git |@@ )/m.test(text) && /^@@ /m.test(text);
}

/** The lines of a unified diff, each with what it says; of one file without the file's name, which is said above it. */
export function readDiff(text: string): PreviewLine[] {
  const lines = readAll(text);
  const files = lines.filter((line) => line.kind === "file" && line.text.startsWith("+++ ")).length;
  return files === 1 ? lines.filter(({ kind }) => kind !== "file") : lines;
}

function readAll(text: string): PreviewLine[] {
  const all = text.replace(/\n$/, "").split("\n");
  let inHunk = false;
  const lines = all.slice(0, mostLines).map((line): PreviewLine => {
    if (/^@@ /.test(line)) inHunk = true;
    else if (/^(diff --git |Index: )/.test(line)) inHunk = false;
    return { kind: kindOf(line, inHunk), text: line };
  });
  const rest = all.length - lines.length;
  if (rest > 0) lines.push({ kind: "hunk", text: `… ${rest} more lines` });
  return lines;
}

function kindOf(line: string, inHunk: boolean): PreviewLine["kind"] {
  if (line.startsWith("@@ ")) return "hunk";
  if (!inHunk) return "file";
  if (line.startsWith("+")) return "add";
  if (line.startsWith("-")) return "del";
  return "same";
}
