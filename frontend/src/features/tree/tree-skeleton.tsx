import { Skeleton } from "@/components/feedback/skeleton";
import { t } from "@/lib/i18n/i18n";

const widths = ["w-44", "w-56", "w-36", "w-52", "w-40", "w-48"];

/** The shape of an outline that is read. */
export function TreeSkeleton() {
  return (
    <div className="flex h-full flex-col pt-11" role="status" aria-label={t("Loading tree…")}>
      {widths.map((width) => (
        <span key={width} className="flex h-7 items-center gap-4 px-3.5">
          <Skeleton className="size-2.5 rounded-full" />
          <Skeleton className={`h-3 ${width}`} />
        </span>
      ))}
    </div>
  );
}
