import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, type LibraryState, toApiError } from "@/lib/api/api";
import { keys } from "@/lib/api/query";

/** How often the time since the last key or click is looked at. */
const periodMs = 5_000;

const events = ["pointerdown", "keydown", "wheel"] as const;

/** Locks an encrypted library after the time in the settings without a key or a click. While a session runs it waits. */
export function useAutoLock(state: LibraryState | undefined) {
  const isOpen = state?.encrypted === true && state.state === "open";
  const { data: settings } = useQuery({
    queryKey: keys.settings(),
    queryFn: api.getSettings,
    enabled: isOpen,
  });
  const limitMs = (settings?.autoLockMinutes ?? 0) * 60_000;
  useEffect(() => {
    if (!isOpen || limitMs === 0) return;
    let lastMs = Date.now();
    const note = () => {
      lastMs = Date.now();
    };
    for (const name of events) addEventListener(name, note, { capture: true, passive: true });
    const timer = setInterval(() => {
      if (Date.now() - lastMs < limitMs) return;
      api.lockLibrary().catch((error) => {
        if (toApiError(error).code !== "busy") lastMs = Date.now();
      });
    }, periodMs);
    return () => {
      clearInterval(timer);
      for (const name of events) removeEventListener(name, note, { capture: true });
    };
  }, [isOpen, limitMs]);
}
