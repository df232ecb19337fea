// Makes the blocks of messages for the fake.

import type { Block } from "@/lib/api/api";

const empty: Block = {
  type: "prose",
  part: 0,
  html: "",
  text: "",
  chars: 0,
  lines: 0,
  sizeBytes: 0,
  cut: false,
  shown: false,
  blob: "",
  callId: "",
  toolName: "",
  target: "",
  added: 0,
  removed: 0,
  state: "",
  durationMs: 0,
  readOnly: false,
  childId: "",
  resultUid: "",
  mimeType: "",
  name: "",
  width: 0,
  height: 0,
};

/** A block of the given fields, the rest empty. */
export function block(fields: Partial<Block>): Block {
  return { ...empty, ...fields };
}

function escapeHTML(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
}

/** Prose of paragraphs divided by blank lines; `code` becomes code. */
export function prose(text: string): Block {
  const html = escapeHTML(text)
    .split("\n\n")
    .map((paragraph) => `<p>${paragraph.replace(/`([^`]+)`/g, "<code>$1</code>")}</p>`)
    .join("");
  return block({
    type: "prose",
    html,
    text,
    chars: text.length,
    lines: text.split("\n").length,
    sizeBytes: text.length,
  });
}

/** Folded reasoning. */
export function reasoning(text: string): Block {
  return { ...prose(text), type: "reasoning", text: text.split(/[.\n]/)[0] ?? "" };
}

/** A tool call with its result. */
export function tool(toolName: string, target: string, fields: Partial<Block> = {}): Block {
  return block({
    type: "tool",
    toolName,
    target,
    state: "done",
    durationMs: 300,
    readOnly: /read|grep|glob|list/i.test(toolName),
    ...fields,
  });
}
