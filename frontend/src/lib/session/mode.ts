import { useCallback } from "react";
import { createStore, useStore } from "@/lib/store/store";
import { useWindowState } from "@/lib/store/window-state";

/** How much of a session is shown: all messages, a digest of each turn, or the prompts alone. */
export type Mode = "all" | "digest" | "prompts";

export const modes: readonly Mode[] = ["all", "digest", "prompts"];

const firstMode: Mode = "digest";

/** The mode of the session on screen where it is not the stored one. */
const passing = createStore<Mode | undefined>(undefined);

/** The mode, remembered between two starts. The header of a session and the settings change the same one. */
export function useMode(): [Mode, (mode: Mode) => void] {
  const [stored, store] = useWindowState<string>("transcriptMode", firstMode);
  const now = useStore(passing, (mode) => mode);
  const setMode = useCallback(
    (mode: Mode) => {
      passing.set(undefined);
      store(mode);
    },
    [store],
  );
  return [now ?? modes.find((mode) => mode === stored) ?? firstMode, setMode];
}

/** Shows the session on screen in a mode that is not remembered; undefined: in the stored one. */
export function setPassingMode(mode: Mode | undefined): void {
  passing.set(mode);
}
