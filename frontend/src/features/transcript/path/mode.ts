import type { MessageView } from "@/lib/api/api";
import type { CommandName } from "@/lib/keys/commands";
import { useWindowState } from "@/lib/store/window-state";

/** How much of a session is shown: all messages, a digest of each turn, or the prompts alone. */
export type Mode = "all" | "digest" | "prompts";

export const modes: readonly Mode[] = ["all", "digest", "prompts"];

/** The mode, remembered between two starts. */
export function useMode(): [Mode, (mode: Mode) => void] {
  const [stored, store] = useWindowState<string>("transcriptMode", "all");
  return [modes.find((mode) => mode === stored) ?? "all", store];
}

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
