import type { Checkpoint } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

type Settings = Pick<Checkpoint, "agent" | "model" | "baseUrl" | "effort" | "mode" | "damaged">;

/** What a checkpoint shows of its run state: what differs from the one before it, or all of it for the first one. */
export function settingsWords(now: Settings, before: Settings | undefined): string {
  if (now.damaged) return "";
  const known = before?.damaged ? undefined : before;
  const words = [
    now.agent !== known?.agent && now.agent,
    now.model !== known?.model && now.model,
    now.baseUrl !== known?.baseUrl && now.baseUrl,
    now.effort !== known?.effort &&
      (now.effort ? t("effort {{effort}}", { effort: now.effort }) : known && t("usual effort")),
    now.mode !== known?.mode && now.mode,
  ];
  return words.filter(Boolean).join(" · ");
}
