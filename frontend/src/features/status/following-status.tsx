import { Tooltip } from "@/components/text/tooltip";
import { baseName } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { useFollowed } from "@/lib/library/followed";

/** How far the look at followed places is, while that takes long: what came in is in the library already. */
export function FollowingStatus() {
  const { followed } = useFollowed();
  if (!followed || followed.progress.total === 0) return null;
  const { done, total, doneBytes, totalBytes, current } = followed.progress;
  return (
    <Tooltip text={current} side="top">
      <span className="flex items-center gap-2 tight:hidden">
        {t("reading {{file}}, {{done}} of {{total}}", { file: baseName(current), done, total })}
        <span className="h-1 w-16 overflow-hidden rounded-full bg-border" aria-hidden="true">
          <span
            className="block h-full bg-accent"
            style={{ width: `${Math.round((100 * doneBytes) / Math.max(totalBytes, 1))}%` }}
          />
        </span>
      </span>
    </Tooltip>
  );
}
