import type { Phase, Work, WorkItem } from "@/lib/api/api";
import { formatDuration, formatPlural } from "@/lib/format/format";
import { type Message, msg, t } from "@/lib/i18n/i18n";

/** The word of a phase, as the bar and its lines show it. */
export const phaseWords: Record<string, Message> = {
  explored: msg("Explored"),
  edited: msg("Edited"),
  ran: msg("Ran"),
  delegated: msg("Delegated"),
  asked: msg("Asked"),
  used: msg("Other tools"),
  answered: msg("Wrote"),
};

/** "Worked 8 min"; "Worked" if the times of the messages are unknown. Seconds are left out from a minute up. */
export function workedFor(ms: number): string {
  const rounded = ms >= 60_000 ? Math.round(ms / 60_000) * 60_000 : ms;
  const duration = formatDuration(rounded);
  return duration === "" ? t("Worked") : t("Worked {{duration}}", { duration });
}

/** "41 steps · 6 files" */
export function amountOf(work: Work): string {
  const least = work.partial ? "≥ " : "";
  const parts = [least + formatPlural(work.steps, "step")];
  if (work.files > 0) parts.push(formatPlural(work.files, "file"));
  return parts.join(" · ");
}

/** What did not go well: "3 failed", "1 interrupted", each with its tone. */
export function troublesOf(work: Work): { words: string; tone: "error" | "warn" }[] {
  const troubles: { words: string; tone: "error" | "warn" }[] = [];
  if (work.failed > 0)
    troubles.push({ words: t("{{count}} failed", { count: work.failed }), tone: "error" });
  if (work.denied > 0)
    troubles.push({ words: t("{{count}} denied", { count: work.denied }), tone: "warn" });
  if (work.interrupted > 0)
    troubles.push({ words: t("{{count}} interrupted", { count: work.interrupted }), tone: "warn" });
  return troubles;
}

/** A part of the strip above the bar: its share of the working time in percent. */
export interface Share {
  /** Of a phase, or "failed". */
  kind: string;
  percent: number;
}

/** The shares of the phases in the working time; of failed calls apart. Empty if no time is known. */
export function sharesOf({ phases, workedMs, failedMs }: Work): Share[] {
  if (workedMs <= 0) return [];
  const failed = Math.min(failedMs, workedMs);
  // What failed is taken from the phase that has the most failures.
  const most = phases.reduce<Phase | undefined>(
    (best, phase) => (phase.failed > (best?.failed ?? 0) ? phase : best),
    undefined,
  );
  const shares: Share[] = phases.map((phase) => ({
    kind: phase.kind,
    percent:
      ((phase.workedMs - (phase === most ? Math.min(failed, phase.workedMs) : 0)) / workedMs) * 100,
  }));
  if (failed > 0) shares.push({ kind: "failed", percent: (failed / workedMs) * 100 });
  return shares.filter(({ percent }) => percent > 0);
}

/** The shortest name of an item: the last two parts of a path, a command in full. */
export function itemName({ text }: WorkItem, kind: string): string {
  if (kind !== "explored" && kind !== "edited") return text;
  if (/\s/.test(text)) return text;
  return text
    .split("/")
    .slice(kind === "edited" ? -2 : -1)
    .join("/");
}

/** What follows the items of a phase: "7 more · 4 searches". */
export function restOf(phase: Phase, shown: number): string {
  const more = phase.items.length - Math.min(shown, phase.items.length) + phase.omitted;
  const parts: string[] = [];
  if (more > 0) parts.push(t("{{count}} more", { count: more }));
  if (phase.searches > 0) parts.push(formatPlural(phase.searches, "search", "searches"));
  return parts.join(" · ");
}
