import { useWindowState } from "@/lib/store/window-state";

/** How much of each turn the transcript shows at first: everything, a digest of the work, or the prompts. */
export type ReadingDetail = "all" | "digest" | "prompts";

const initial: ReadingDetail = "all";

/** The detail in which sessions open, as the user has chosen it. */
export function useReadingDetail() {
  return useWindowState<ReadingDetail>("reading.detail", initial);
}
