import { api } from "@/lib/api/api";

/** Copies a text to the clipboard; returns false if neither the page nor the system allows it. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // WebKit allows it only immediately after a click, not after an answer from Go.
    return api.setClipboard(text).catch(() => false);
  }
}
