import { ALargeSmall } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { TranscriptContext, type TranscriptScope } from "@/features/transcript/scope";
import type { Pair, TurnRange } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import type { Comparing } from "@/lib/store/comparing";
import { RangeView } from "./range-view";
import { WordDiffView } from "./word-diff";

/** The context that the messages of each side need. */
interface SideScopes {
  left: TranscriptScope;
  right: TranscriptScope;
}

interface CompareRowProps {
  comparing: Comparing;
  row: Pair;
  scopes: SideScopes;
  /** The words are compared instead of shown as written. */
  words: boolean;
  onWords: () => void;
}

/** Two turns side by side. */
export function CompareRow({ comparing, row, scopes, words, onWords }: CompareRowProps) {
  const both = row.left.messages > 0 && row.right.messages > 0;
  return (
    <>
      <header className="relative grid h-9 grid-cols-2 items-center text-sm text-text-3">
        <TurnName range={row.left} />
        <TurnName range={row.right} />
        {both && (
          <IconButton
            icon={ALargeSmall}
            label={words ? t("Show messages of this turn") : t("Compare words of this turn")}
            keys="W"
            aria-pressed={words}
            className="!absolute top-1 end-3"
            onClick={onWords}
          />
        )}
      </header>
      {words && both ? (
        <WordDiffView comparing={comparing} row={row} />
      ) : (
        <div className="grid grid-cols-2">
          <Cell leafUid={comparing.leftUid} range={row.left} scope={scopes.left} />
          <Cell leafUid={comparing.rightUid} range={row.right} scope={scopes.right} />
        </div>
      )}
    </>
  );
}

function TurnName({ range }: { range: TurnRange }) {
  return (
    <p className="flex h-full min-w-0 items-center gap-2 border-border px-6 first:border-e">
      {range.messages > 0 && (
        <>
          <span className="font-mono text-text-2">n{range.turn}</span>
          {range.label !== "" && (
            <span className="min-w-0 truncate rounded-full border border-border px-[7px] text-xs text-text-2">
              {range.label}
            </span>
          )}
          <span className="shrink-0">{formatPlural(range.messages, "message")}</span>
        </>
      )}
      {range.messages === 0 && t("no turn here")}
    </p>
  );
}

interface CellProps {
  leafUid: string;
  range: TurnRange;
  scope: TranscriptScope;
}

function Cell({ leafUid, range, scope }: CellProps) {
  return (
    <div className="min-w-0 border-border px-6 pb-4 first:border-e [&>.message:first-child]:!mt-0">
      {range.messages > 0 && (
        <TranscriptContext value={scope}>
          <RangeView leafUid={leafUid} from={range.from} messages={range.messages} />
        </TranscriptContext>
      )}
    </div>
  );
}
