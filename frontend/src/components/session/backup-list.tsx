import { Button } from "@/components/form/button";
import type { Backup } from "@/lib/api/api";
import { formatAge, formatBytes, formatExact } from "@/lib/format/format";

const kinds: Record<string, string> = {
  daily: "daily",
  migration: "before an update",
  manual: "made by you",
};

interface BackupListProps {
  backups: readonly Backup[];
  disabled: boolean;
  onRestore: (path: string) => void;
}

/** The backups, the newest verified one first and preselected. */
export function BackupList({ backups, disabled, onRestore }: BackupListProps) {
  if (backups.length === 0) return <p className="text-text-3">No backups yet.</p>;
  const sorted = backups.toSorted(
    (a, b) => Number(b.verified) - Number(a.verified) || b.createdAtMs - a.createdAtMs,
  );
  return (
    <ul
      aria-label="Backups"
      className="max-h-48 divide-y divide-border overflow-y-auto rounded border border-border"
    >
      {sorted.map(({ path, kind, createdAtMs, sizeBytes, verified }, index) => (
        <li key={path} className="flex min-h-9 items-center gap-3 py-1 pr-1 pl-3" title={path}>
          <span className="min-w-0 flex-1 truncate">
            {formatExact(createdAtMs)}
            <span className="ml-2 text-sm text-text-3">
              {[formatAge(createdAtMs), formatBytes(sizeBytes), kinds[kind] ?? kind].join(" · ")}
              {!verified && " · not verified"}
            </span>
          </span>
          <Button
            variant={index === 0 ? "primary" : "plain"}
            disabled={disabled}
            aria-label={`Restore the backup of ${formatExact(createdAtMs)}`}
            onClick={() => onRestore(path)}
          >
            Restore
          </Button>
        </li>
      ))}
    </ul>
  );
}
