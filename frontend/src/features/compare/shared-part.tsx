import { TranscriptContext, type TranscriptScope } from "@/features/transcript/scope";
import { FoldLine } from "@/features/transcript/text/fold-line";
import type { Comparison } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { RangeView } from "./range-view";

interface SharedPartProps {
  comparison: Comparison;
  scope: TranscriptScope;
  open: boolean;
  onToggle: () => void;
}

/** The shared beginning of both branches: one line that opens to its end. */
export function SharedPart({ comparison, scope, open, onToggle }: SharedPartProps) {
  const { shared, sharedTurns, left } = comparison;
  if (shared === 0)
    return (
      <p className="border-b border-border px-6 py-2 text-text-3">
        {t("No shared messages: each branch has its own first message.")}
      </p>
    );
  return (
    <div className="border-b border-border px-4 py-1">
      <FoldLine open={open} onToggle={onToggle} className="text-text-2">
        {plural(
          shared,
          "{{count}} shared message in {{turns}}",
          "{{count}} shared messages in {{turns}}",
          { turns: formatPlural(sharedTurns, "turn") },
        )}
      </FoldLine>
      {open && (
        <div className="px-2 pb-3">
          <TranscriptContext value={scope}>
            <RangeView leafUid={left.leafUid} from={0} messages={shared} fromEnd />
          </TranscriptContext>
        </div>
      )}
    </div>
  );
}
