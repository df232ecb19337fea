import type { CSSProperties } from "react";
import { authorColor } from "@/lib/format/author-color";

/** Returns the style that gives what an agent wrote its color; undefined in a session of one agent. */
export function authorStyle(agent: string, authors: readonly string[]): CSSProperties | undefined {
  if (agent === "" || authors.length === 0) return undefined;
  return { "--author": authorColor(agent, authors) } as CSSProperties;
}
