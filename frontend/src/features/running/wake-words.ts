import type { Wake } from "@/lib/api/api";
import { formatExact } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

/** Returns when a hibernated session continues by itself: "at 18:00, or when /home/ada/notes.md changes"; empty: only by hand. */
export function wakeWords(wakes: readonly Wake[]): string {
  return wakes
    .filter(({ kind }) => kind !== "manual")
    .map((wake) =>
      wake.active
        ? wordsOf(wake)
        : t("{{when}} (imported, not confirmed)", { when: wordsOf(wake) }),
    )
    .reduce(
      (all, when) => (all ? t("{{when}}, or {{other}}", { when: all, other: when }) : when),
      "",
    );
}

function wordsOf({ kind, atMs, path, title, detail }: Wake): string {
  if (kind === "time") return t("at {{time}}", { time: formatExact(atMs) });
  if (kind === "change") return t("when {{path}} changes", { path });
  if (kind === "done") return t("when “{{session}}” ends", { session: title });
  return t("when a message arrives from {{sender}}, which Coppice cannot receive", {
    sender: detail,
  });
}
