// Back to the tool that a session came from.

import { copyText } from "@/actions/session-changes";
import { toastError } from "@/components/feedback/toast";
import { api, type Session } from "@/lib/api/api";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";

const tools = new Set(["claude_code", "codex", "gemini_cli", "opencode", "pi"]);

/** Reports whether the session came from a tool that can continue it. */
export function isFromTool({ source, relation }: Session): boolean {
  return tools.has(source) && relation !== "subagent";
}

/** "Continue in Claude Code". */
export function continueTitle(session: Session | undefined): string {
  return session && isFromTool(session)
    ? t("Continue in {{tool}}", { tool: sourceName(session.source) })
    : t("Continue in its own tool");
}

/** Copies the command that continues the session in its own tool, or reports why it does not exist. */
export async function continueInTool({ id, source }: Session): Promise<void> {
  const failed = t("Could not continue in {{tool}}", { tool: sourceName(source) });
  try {
    const { text, reason } = await api.getOriginal(id);
    if (text === "") throw new Error(reason);
    await copyText(text, t("Copied the command. Paste it into a terminal"));
    if (reason) toastError(t("The command will not work yet"), reason);
  } catch (error) {
    toastError(failed, error);
  }
}

/** Shows the workspace of a session, or its source file, in the file manager. */
export async function reveal({ id }: Session, what: "workspace" | "file"): Promise<void> {
  try {
    await api.revealSession(id, what === "file");
  } catch (error) {
    const failed =
      what === "file" ? t("Could not reveal the source file") : t("Could not open the workspace");
    toastError(failed, error);
  }
}
