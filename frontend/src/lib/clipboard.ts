import { api } from "./api";

/** Puts a text on the clipboard; false where neither the page nor the system allows it. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // WebKit allows it only at once after a click, not after an answer from Go.
    return api.setClipboard(text).catch(() => false);
  }
}
