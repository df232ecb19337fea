import type { MessageView } from "@/lib/api/api";
import type { CommandName } from "@/lib/keys/commands";
import type { Mode } from "@/lib/session/mode";

/** The command of each mode. */
export const modeCommands: Record<Mode, CommandName> = {
  all: "read-all",
  digest: "read-digest",
  prompts: "read-prompts",
};

/** What the rest of the transcript can ask of a digest on screen. */
export interface DigestHandle {
  /** Puts a turn at the top of the view and gives it the focus. */
  goTo: (place: number) => void;
  /** The turn that is read: the one at the top of the view, or with the focus at the end. */
  place: number;
  /** The message that has the focus. */
  message: MessageView | undefined;
}
