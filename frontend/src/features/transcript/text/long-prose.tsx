import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatBytes } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { useFold } from "../path/folds";
import { type Card, foldOf, isLong } from "../path/plan";
import { useTranscript } from "../scope";
import { FullText } from "./full-text";
import { InlineError } from "./inline-error";
import { Prose } from "./prose";

/** Prose; where the page holds its beginning, with the way to the whole. */
export function LongProse({ card }: { card: Card }) {
  // Most is whole, and a hundred messages that watch for an answer which none asks for cost a frame.
  if (card.block.cut) return <CutProse card={card} />;
  return isLong(card) ? <FoldedProse card={card} /> : <Prose html={card.block.html} />;
}

/** A long text: its beginning, and below it the button that shows the rest in place. */
function FoldedProse({ card }: { card: Card }) {
  const { folds } = useTranscript();
  const { block } = card;
  const [open, toggle] = useFold(folds, foldOf(card));
  if (open) return <Prose html={block.html} />;
  return (
    <>
      <div className={clsx("overflow-hidden", card.brief ? "max-h-60" : "max-h-[640px]")}>
        <Prose html={block.html} />
      </div>
      <p className="measure my-1 border-t border-dashed border-border-strong/50 pt-1">
        <Button onClick={toggle}>{showAllLines(block.lines)}</Button>
      </p>
    </>
  );
}

const showAllLines = (lines: number) =>
  plural(lines, "Show all {{count}} line", "Show all {{count}} lines");

function CutProse({ card }: { card: Card }) {
  const { session } = useTranscript();
  const { message, block } = card;
  const [wanted, setWanted] = useState(false);
  const inBlob = block.blob !== "";
  // Asked for alone, a message comes as whole as Markdown gets.
  const alone = useQuery({
    queryKey: [...keys.window(session.id), "alone", message.uid],
    queryFn: () => api.getWindow(session.id, message.uid, message.depth, 1),
    enabled: wanted && !inBlob,
  });
  const whole = alone.data?.messages[0]?.blocks.find(({ part }) => part === block.part);
  const shown = whole ?? block;
  return (
    <>
      <Prose html={shown.html} />
      {(inBlob || !whole) && (
        <p className="my-1 flex items-center gap-2 text-sm text-text-3">
          <Button onClick={() => setWanted(true)} disabled={wanted && !inBlob && alone.isFetching}>
            {block.lines > 1
              ? showAllLines(block.lines)
              : t("Show all {{size}}", { size: formatBytes(block.sizeBytes) })}
          </Button>
          {t("This is the first part of a long text.")}
        </p>
      )}
      {alone.error && (
        <InlineError
          title={t("Could not load the whole text")}
          error={alone.error}
          onRetry={() => void alone.refetch()}
        />
      )}
      {wanted && inBlob && (
        <FullText
          title={t("The whole text")}
          blob={block.blob}
          sizeBytes={block.sizeBytes}
          onClose={() => setWanted(false)}
        />
      )}
    </>
  );
}
