import { Tooltip } from "@/components/text/tooltip";
import { sourceMark, sourceName } from "@/lib/format/sources";

/** The two letters of the tool a session came from, with its name in the tooltip. */
export function SourceMark({ source }: { source: string }) {
  return (
    <Tooltip text={sourceName(source)} side="right">
      <span
        role="img"
        aria-label={sourceName(source)}
        className="inline-block h-4 w-[18px] shrink-0 rounded-sm border border-border bg-sunken text-center font-mono text-[9px] leading-[14px] font-semibold text-text-2"
      >
        {sourceMark(source)}
      </span>
    </Tooltip>
  );
}
