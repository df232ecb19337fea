import type { Wake } from "@/lib/api/api";
import { formatExact } from "@/lib/format/format";

/** Returns when a hibernated session continues by itself: "at 18:00, or when /home/ada/notes.md changes"; empty: only by hand. */
export function wakeWords(wakes: readonly Wake[]): string {
  return wakes
    .filter(({ kind }) => kind !== "manual")
    .map((wake) => (wake.active ? wordsOf(wake) : `${wordsOf(wake)} (imported, not confirmed)`))
    .join(", or ");
}

function wordsOf({ kind, atMs, path, title, detail }: Wake): string {
  if (kind === "time") return `at ${formatExact(atMs)}`;
  if (kind === "change") return `when ${path} changes`;
  if (kind === "done") return `when “${title}” ends`;
  return `when a message arrives from ${detail}, which Coppice cannot receive`;
}
