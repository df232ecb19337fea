import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Skeleton } from "@/components/feedback/skeleton";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { SourceMark } from "@/components/session/source-mark";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatBytes, formatPlural } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { useFollowed } from "@/lib/library/followed";

interface SourceListProps {
  /** Keep: follow these places from then on. */
  onImport: (paths: string[], keep: boolean) => void;
}

/**
 * The known places on this machine that hold sessions, each with a button to import it, and one for all. Who was never
 * asked is offered to follow them.
 */
export function SourceList({ onImport }: SourceListProps) {
  const { data, error } = useQuery({
    queryKey: keys.sources(),
    queryFn: api.findSources,
    // Other tools write there all the time.
    staleTime: 0,
  });
  const { followed } = useFollowed();
  const [asked, setAsked] = useState<boolean>();
  const keep = asked ?? followed?.chosen === false;
  if (error)
    return (
      <p className="text-text-2">
        {t("Could not search this machine: {{message}}", { message: error.message })}
      </p>
    );
  if (!data)
    return (
      <div className="flex flex-col gap-3 py-3">
        <Skeleton className="h-4 w-3/5" />
        <Skeleton className="h-4 w-2/5" />
      </div>
    );
  if (data.length === 0)
    return (
      <p className="text-text-2">
        {t(
          "No sessions of other tools found in the usual folders on this machine. Choose files or a folder instead.",
        )}
      </p>
    );
  return (
    <>
      {data.length > 1 && (
        <Button
          className="mb-3 w-full"
          variant="primary"
          onClick={() =>
            onImport(
              data.map(({ path }) => path),
              keep,
            )
          }
        >
          {t("Import all {{number}} folders", { number: data.length })}
        </Button>
      )}
      <ul className="divide-y divide-border rounded border border-border">
        {data.map(({ source, path, files, sizeBytes }) => (
          <li key={`${source} ${path}`} className="flex items-center gap-3 py-2 pe-2 ps-3">
            <SourceMark source={source} />
            <div className="min-w-0 flex-1">
              <p className="flex items-baseline gap-2">
                <span className="font-semibold">{sourceName(source)}</span>
                <span className="truncate text-sm text-text-3">
                  {[
                    formatPlural(files, "file"),
                    formatBytes(sizeBytes),
                    followed?.paths.includes(path) && t("followed"),
                  ]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </p>
              <p className="selectable truncate font-mono text-xs text-text-3" title={path}>
                {path}
              </p>
            </div>
            <Button
              aria-label={t("Import from {{tool}}, {{path}}", { tool: sourceName(source), path })}
              onClick={() => onImport([path], keep)}
            >
              {t("Import")}
            </Button>
          </li>
        ))}
      </ul>
      <div className="mt-3">
        <Checkbox
          title={t("Follow the imported folders")}
          text={t("New messages appear as they are written, while this window is open")}
          checked={keep}
          onChange={setAsked}
        />
      </div>
    </>
  );
}
