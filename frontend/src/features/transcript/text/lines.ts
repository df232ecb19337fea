// A long text as lines to draw: read from a blob piece by piece, with bounds on all of it.

/** More than this is not read into the window. */
export const mostBytes = 64_000_000;
/** More lines than this are too tall for an engine to lay out. */
export const mostLines = 1_000_000;
/** A longer line is broken: engines are slow at lines of megabytes. */
export const longestLine = 2000;

/** A text's lines, none longer than an engine can take. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of text.replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n")) {
    for (let from = 0; from === 0 || from < line.length; from += longestLine) {
      if (lines.length >= mostLines) return lines;
      lines.push(line.length <= longestLine ? line : line.slice(from, from + longestLine));
    }
  }
  return lines;
}

/** What was read. */
export interface ReadText {
  text: string;
  /** There is more than was read. */
  cut: boolean;
}

/** Reads a text from an address up to the bound, telling how many bytes have come. Rejects where the answer is no success. */
export async function readText(
  address: string,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<ReadText> {
  const answer = await fetch(address, { signal });
  if (!answer.ok || !answer.body) throw new Error(`read the stored text: status ${answer.status}`);
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: [...pieces, decoder.decode()].join(""), cut: false };
    pieces.push(decoder.decode(value, { stream: true }));
    bytes += value.byteLength;
    onProgress(bytes);
    if (bytes < mostBytes) continue;
    await reader.cancel();
    return { text: pieces.join(""), cut: true };
  }
}
