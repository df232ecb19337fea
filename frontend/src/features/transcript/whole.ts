import type { Block } from "@/lib/api";

/** Below this size nothing is ever cut. */
const alwaysWhole = 2048;

/**
 * Says whether a block of prose is only the beginning of its text: its whole is in a blob, or the
 * page was full when it was rendered (then there is far less HTML than text).
 */
export function isCut({ blob, html, sizeBytes }: Block): boolean {
  return blob !== "" || (sizeBytes > alwaysWhole && html.length < sizeBytes / 2);
}
