import type { MessageView } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** Who speaks: the word in the header and the color of the rule. */
interface Speaker {
  word: string;
  /** A class of transcript.css that sets the color. */
  tone: "you" | "assistant" | "tool" | "system";
}

/** Who speaks in a message. */
export function speakerOf({ role, kind, name, agent, blocks }: MessageView): Speaker {
  if (kind === "command") return { word: t("Command"), tone: "system" };
  if (blocks[0]?.type === "notice") return { word: t("Notice"), tone: "system" };
  if (kind === "meta" && name === "join") return { word: t("Joined answers"), tone: "system" };
  if (kind === "meta") return { word: t("Context"), tone: "system" };
  switch (role) {
    case "user":
      return { word: name || t("You"), tone: "you" };
    case "assistant":
      return { word: name || agent || t("Assistant"), tone: "assistant" };
    case "tool":
      return { word: name || t("Tool"), tone: "tool" };
    default:
      return { word: t("System"), tone: "system" };
  }
}

/** A message's name for screen readers: "Assistant, 2 of 3 alternatives, failed". */
export function describe(message: MessageView): string {
  const parts = [speakerOf(message).word];
  if (message.siblings > 1)
    parts.push(
      t("{{number}} of {{total}} alternatives", {
        number: message.siblingIndex,
        total: message.siblings,
      }),
    );
  if (message.label !== "") parts.push(t("labelled {{label}}", { label: message.label }));
  if (message.error !== "") parts.push(t("failed"));
  return parts.join(", ");
}
