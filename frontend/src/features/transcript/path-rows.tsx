import { t } from "@/lib/i18n/i18n";
import { SkeletonRow } from "./column/skeleton-row";
import type { Range } from "./column/use-column";
import { MessageRow } from "./message/message-row";
import { type Path, pageSize } from "./path/use-path";
import { InlineError } from "./text/inline-error";

interface PathRowsProps {
  path: Path;
  range: Range;
  tabStop: number;
  flashIndex: number | undefined;
}

/** The rows of a range of a path, each in the box that is measured. */
export function PathRows({ path, range, tabStop, flashIndex }: PathRowsProps) {
  const rows = [];
  for (let index = range.first; index <= range.last; index++) {
    const row = path.row(index);
    const failure = row ? null : path.errorAt(index);
    rows.push(
      <div
        key={row?.message.uid ?? `row ${index}`}
        data-row={index}
        data-known={row ? "" : undefined}
        hidden={row?.absent}
        className="messages-inset flow-root"
      >
        {row && !row.absent && (
          <MessageRow
            row={row}
            length={path.length ?? 0}
            current={index === tabStop}
            flash={flashIndex === index}
            close={row.look === "folded" && path.row(index - 1)?.look === "folded"}
          />
        )}
        {!row && !failure && <SkeletonRow />}
        {failure && (
          // As high as a row that is not known yet.
          <div className="h-24 pt-3">
            {(index === range.first || index % pageSize === 0) && (
              <InlineError
                title={t("Could not load these messages")}
                error={failure}
                onRetry={() => path.retry(index)}
              />
            )}
          </div>
        )}
      </div>,
    );
  }
  return rows;
}
