import { Skeleton } from "@/components/feedback/skeleton";
import { estimatedHeight } from "./column";

/** The shape of a message that is on its way. */
export function SkeletonRow() {
  return (
    <div aria-hidden="true" className="pt-[18px]" style={{ height: estimatedHeight }}>
      <div className="h-full border-s-2 border-border pt-1 ps-[14px]">
        <Skeleton className="h-3 w-32" />
        <Skeleton className="mt-3 h-4 w-[min(520px,80%)]" />
        <Skeleton className="mt-2 h-4 w-[min(320px,50%)]" />
      </div>
    </div>
  );
}
