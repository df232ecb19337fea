import { printAddress } from "@/lib/api/api";
import type { Mode } from "@/lib/session/mode";

/** What is printed of a session that is shown in a mode: of calls a line each, or prompts and answers alone. */
const details: Record<Mode, string> = { all: "compact", digest: "prompts", prompts: "prompts" };

const frameId = "printed";

// They would not run in the frame, which the browser reports as an error.
function withoutScripts(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html");
  for (const script of page.querySelectorAll("script")) script.remove();
  return page.documentElement.outerHTML;
}

/**
 * Opens the system's print dialog for a path, in which it can be saved as PDF. The page is in a frame without scripts, which the next one
 * replaces: the dialog may still need it when `print` returns. Throws an ApiError if it cannot be laid out.
 */
export async function printPath(sessionId: string, leafUid: string, mode: Mode): Promise<void> {
  const answer = await fetch(printAddress(sessionId, leafUid, details[mode]));
  if (!answer.ok) throw await answer.json();
  const page = withoutScripts(await answer.text());
  document.getElementById(frameId)?.remove();
  const frame = document.createElement("iframe");
  frame.id = frameId;
  frame.setAttribute("sandbox", "allow-same-origin allow-modals");
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  frame.className = "fixed start-0 top-0 size-0 border-0 opacity-0";
  const loaded = new Promise((done) => frame.addEventListener("load", done, { once: true }));
  frame.srcdoc = page;
  document.body.append(frame);
  await loaded;
  frame.contentWindow?.print();
}
