import { Button } from "@/components/form/button";
import type { Backup } from "@/lib/api/api";
import { formatAge, formatBytes, formatExact } from "@/lib/format/format";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";

const kinds: Record<string, Message> = {
  daily: msg("daily"),
  migration: msg("before an update"),
  manual: msg("made by you"),
};

function kindWord(kind: string): string {
  const word = kinds[kind];
  return word ? translate(word) : kind;
}

interface BackupListProps {
  backups: readonly Backup[];
  disabled: boolean;
  onRestore: (path: string) => void;
}

/** The backups, the newest verified one first and preselected. */
export function BackupList({ backups, disabled, onRestore }: BackupListProps) {
  if (backups.length === 0) return <p className="text-text-3">{t("No backups yet.")}</p>;
  const sorted = backups.toSorted(
    (a, b) => Number(b.verified) - Number(a.verified) || b.createdAtMs - a.createdAtMs,
  );
  return (
    <ul
      aria-label={t("Backups")}
      className="max-h-48 divide-y divide-border overflow-y-auto rounded border border-border"
    >
      {sorted.map(({ path, kind, createdAtMs, sizeBytes, verified }, index) => (
        <li key={path} className="flex min-h-9 items-center gap-3 py-1 pe-1 ps-3" title={path}>
          <span className="min-w-0 flex-1 truncate">
            {formatExact(createdAtMs)}
            <span className="ms-2 text-sm text-text-3">
              {[
                formatAge(createdAtMs),
                formatBytes(sizeBytes),
                kindWord(kind),
                !verified && t("not verified"),
              ]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </span>
          <Button
            variant={index === 0 ? "primary" : "plain"}
            disabled={disabled}
            aria-label={t("Restore the backup of {{time}}", { time: formatExact(createdAtMs) })}
            onClick={() => onRestore(path)}
          >
            {t("Restore")}
          </Button>
        </li>
      ))}
    </ul>
  );
}
