import { useWindowState } from "@/lib/store/window-state";

/** How much of a session is shown: all messages, a digest of each turn, or the prompts alone. */
export type Mode = "all" | "digest" | "prompts";

export const modes: readonly Mode[] = ["all", "digest", "prompts"];

/** The mode, remembered between two starts. The header of a session and the settings change the same one. */
export function useMode(): [Mode, (mode: Mode) => void] {
  const [stored, store] = useWindowState<string>("transcriptMode", "all");
  return [modes.find((mode) => mode === stored) ?? "all", store];
}
