import { plural, t } from "@/lib/i18n/i18n";
import { useFold } from "../path/folds";
import { type Card, foldOf } from "../path/plan";
import { useTranscript } from "../scope";
import { FoldLine } from "./fold-line";
import { LongProse } from "./long-prose";

/** A shorter text is nearly whole on the line, and its length is of no interest. */
const shortChars = 200;

/** What a model thought before it answered: one line, opening to the whole. */
export function Reasoning({ card }: { card: Card }) {
  const { folds } = useTranscript();
  const { block } = card;
  const [open, toggle] = useFold(folds, foldOf(card));
  const still = block.html === "";
  return (
    <div className="measure-card -ms-2">
      <FoldLine open={open} onToggle={toggle} still={still} className="text-text-3">
        <span className="shrink-0 text-reasoning">{t("Reasoning")}</span>
        <span className="min-w-0 flex-1 truncate" dir="auto">
          {open ? "" : block.text}
        </span>
        {block.chars > shortChars && (
          <span className="shrink-0 text-sm">
            {plural(block.chars, "{{count}} character", "{{count}} characters")}
          </span>
        )}
      </FoldLine>
      {open && !still && (
        <div className="mt-1 mb-2 ms-2 border-s-2 border-reasoning/40 ps-3 text-text-2">
          <LongProse card={card} />
        </div>
      )}
    </div>
  );
}
