import { formatBytes } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { useFold } from "../path/folds";
import { type Card, foldOf } from "../path/plan";
import { useTranscript } from "../scope";
import { FoldLine } from "./fold-line";
import { missingOf, Well } from "./well";

/** A part that this version does not know: kept, and shown as the JSON it is. */
export function UnknownPart({ card }: { card: Card }) {
  const { folds } = useTranscript();
  const { block } = card;
  const [open, toggle] = useFold(folds, foldOf(card));
  return (
    <div className="measure-card -ms-2">
      <FoldLine open={open} onToggle={toggle} className="text-text-3">
        <span className="shrink-0">{t("Unknown part")}</span>
        <span className="min-w-0 flex-1 truncate font-mono">{block.name}</span>
        {block.sizeBytes > 0 && (
          <span className="shrink-0 text-sm">{formatBytes(block.sizeBytes)}</span>
        )}
      </FoldLine>
      {open && (
        <div className="mb-2 ps-2">
          <Well
            label={block.name || t("Unknown part")}
            text={block.text}
            lines={block.lines}
            sizeBytes={block.sizeBytes}
            blob={block.blob}
            missing={missingOf(block)}
          />
        </div>
      )}
    </div>
  );
}
