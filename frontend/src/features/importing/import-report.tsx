import { CircleAlert, CircleCheck } from "lucide-react";
import { Button } from "@/components/form/button";
import { CopyButton } from "@/components/form/copy-button";
import { SkippedFiles } from "@/components/session/skipped-files";
import type { Job, Problem } from "@/lib/api/api";
import { formatCount, formatPlural } from "@/lib/format/format";
import { fromGo } from "@/lib/i18n/from-go";
import { plural, t } from "@/lib/i18n/i18n";
import { LockedSessions } from "./locked-sessions";

/** The problems that are drawn; all of them are copied. */
const shown = 200;

interface ImportReportProps {
  job: Job;
  /** Imports the sessions that were removed for good. */
  onImportRemoved: () => void;
  /** Imports the same files after a passphrase was entered. */
  onImportLocked: () => void;
}

/** What an import did, and every problem with its file and line. */
export function ImportReport({ job, onImportRemoved, onImportLocked }: ImportReportProps) {
  const { report, canceled, error, hint } = job;
  const counts = [
    [t("Imported"), report.imported],
    [t("Updated"), report.updated],
    [t("Unchanged"), report.unchanged],
    [t("Skipped"), report.skipped],
  ] as const;
  const unknown = report.unknownRecords ?? [];
  const locked = report.problems.filter((problem) => problem.locked).length;
  const removed = report.removed ?? 0;
  return (
    <div className="flex flex-col gap-4">
      {error && (
        <div role="alert" className="flex gap-2">
          <CircleAlert size={16} className="mt-px text-error" aria-hidden="true" />
          <div className="selectable min-w-0 [overflow-wrap:anywhere]">
            <p>{error}</p>
            {hint && <p className="text-text-2">{fromGo(hint)}</p>}
            <p className="text-text-2">{t("Everything imported so far is kept.")}</p>
          </div>
        </div>
      )}
      {canceled && !error && (
        <p className="text-text-2">
          {t("You stopped the import. Everything imported so far is kept.")}
        </p>
      )}
      <dl className="grid grid-cols-4 rounded border border-border text-center">
        {counts.map(([word, count]) => (
          <div key={word} className="border-border py-2 not-first:border-s">
            <dd className="text-xl font-semibold">{formatCount(count)}</dd>
            <dt className="text-sm text-text-3">{word}</dt>
          </div>
        ))}
      </dl>
      {locked > 0 && <LockedSessions count={locked} onImport={onImportLocked} />}
      <SkippedFiles report={report} limit={shown} />
      {removed > 0 && (
        <div className="flex items-center gap-3">
          <p className="flex-1 text-sm text-text-3">
            {plural(
              removed,
              "{{count}} session skipped: removed for good.",
              "{{count}} sessions skipped: removed for good.",
            )}
          </p>
          <Button onClick={onImportRemoved}>{t("Import removed sessions")}</Button>
        </div>
      )}
      {unknown.length > 0 && (
        <p className="selectable text-sm text-text-3 [overflow-wrap:anywhere]">
          {t("Records of unknown types, stored unchanged:")}{" "}
          {unknown
            .map(
              ({ source, type, count }) =>
                `${source} ${type || t("without a type")} (${formatCount(count)})`,
            )
            .join(", ")}
        </p>
      )}
      {report.problems.length === 0 ? (
        !error && (
          <p className="flex items-center gap-2 text-text-2">
            <CircleCheck size={16} className="text-accent" aria-hidden="true" />
            {t("No problems.")}
          </p>
        )
      ) : (
        <section aria-label={t("Problems")}>
          <div className="mb-2 flex items-center gap-2">
            <h3 className="flex-1 font-semibold">
              {formatPlural(report.problems.length, "problem")}
            </h3>
            <CopyButton label={t("Copy all")} text={report.problems.map(problemLine).join("\n")} />
          </div>
          <ul className="selectable max-h-60 overflow-y-auto rounded border border-border bg-sunken">
            {report.problems.slice(0, shown).map((problem) => (
              <li
                key={problemLine(problem)}
                className="border-b border-border px-3 py-1.5 last:border-b-0"
              >
                <p className="[overflow-wrap:anywhere]">{problem.message}</p>
                {problem.hint && <p className="text-text-2">{fromGo(problem.hint)}</p>}
                <p className="font-mono text-xs text-text-3 [overflow-wrap:anywhere]">
                  {problem.path}
                  {problem.line > 0 && `:${problem.line}`}
                </p>
              </li>
            ))}
          </ul>
          {report.problems.length > shown && (
            <p className="pt-2 text-sm text-text-3">
              {t("The first {{number}} are shown; Copy all takes every one.", { number: shown })}
            </p>
          )}
        </section>
      )}
    </div>
  );
}

function problemLine({ path, line, message, hint }: Problem): string {
  return `${path}${line > 0 ? `:${line}` : ""}: ${message}${hint ? ` (${fromGo(hint)})` : ""}`;
}
