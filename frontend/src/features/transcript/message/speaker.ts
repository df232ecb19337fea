import type { MessageView } from "@/lib/api/api";

/** Who speaks: the word in the header and the color of the rule. */
interface Speaker {
  word: string;
  /** A class of transcript.css that sets the color. */
  tone: "you" | "assistant" | "tool" | "system";
}

/** Who speaks in a message. */
export function speakerOf({ role, kind, name, agent, blocks }: MessageView): Speaker {
  if (kind === "command") return { word: "Command", tone: "system" };
  if (blocks[0]?.type === "notice") return { word: "Notice", tone: "system" };
  if (kind === "meta") return { word: "Context", tone: "system" };
  switch (role) {
    case "user":
      return { word: name || "You", tone: "you" };
    case "assistant":
      return { word: name || agent || "Assistant", tone: "assistant" };
    case "tool":
      return { word: name || "Tool", tone: "tool" };
    default:
      return { word: "System", tone: "system" };
  }
}

/** A message's name for screen readers: "Assistant, 2 of 3 alternatives, failed". */
export function describe(message: MessageView): string {
  const parts = [speakerOf(message).word];
  if (message.siblings > 1)
    parts.push(`${message.siblingIndex} of ${message.siblings} alternatives`);
  if (message.label !== "") parts.push(`labelled ${message.label}`);
  if (message.error !== "") parts.push("failed");
  return parts.join(", ");
}
