import type { Report } from "@/lib/api/api";
import { fromGo } from "@/lib/i18n/from-go";
import { plural, t } from "@/lib/i18n/i18n";

interface SkippedFilesProps {
  report: Report;
  /** Files that are drawn. */
  limit: number;
}

/** What an import skipped, by the reason; nothing if it skipped nothing. */
export function SkippedFiles({ report, limit }: SkippedFilesProps) {
  const files = report.skippedFiles ?? [];
  if (report.skipped === 0) return null;
  const byReason = new Map<string, string[]>();
  for (const { path, reason } of files.slice(0, limit))
    byReason.set(reason, [...(byReason.get(reason) ?? []), path]);
  const more = report.skipped - Math.min(files.length, limit);
  return (
    <section aria-label={t("Skipped files")}>
      <h3 className="mb-2 font-semibold">
        {plural(report.skipped, "{{count}} file skipped", "{{count}} files skipped")}
      </h3>
      <div className="selectable max-h-48 overflow-y-auto rounded border border-border bg-sunken px-3 py-1.5">
        {[...byReason].map(([reason, paths]) => (
          <div key={reason} className="py-1">
            <p className="text-text-2 first-letter:uppercase">{fromGo(reason)}</p>
            <ul>
              {paths.map((path, index) => (
                <li
                  // biome-ignore lint/suspicious/noArrayIndexKey: a file with several sessions is listed several times
                  key={`${index} ${path}`}
                  className="truncate font-mono text-xs text-text-3"
                  title={path}
                >
                  {path}
                </li>
              ))}
            </ul>
          </div>
        ))}
        {more > 0 && (
          <p className="py-1 text-text-3">{t("and {{number}} more", { number: more })}</p>
        )}
      </div>
    </section>
  );
}
