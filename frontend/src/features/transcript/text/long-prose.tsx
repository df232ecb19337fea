import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatBytes } from "@/lib/format/format";
import type { Card } from "../path/plan";
import { useTranscript } from "../scope";
import { FullText } from "./full-text";
import { InlineError } from "./inline-error";
import { Prose } from "./prose";

/** Prose; where the page holds its beginning, with the way to the whole. */
export function LongProse({ card }: { card: Card }) {
  // Most is whole, and a hundred messages that watch for an answer which none asks for cost a frame.
  return card.block.cut ? <CutProse card={card} /> : <Prose html={card.block.html} />;
}

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
            Show all {formatBytes(block.sizeBytes)}
          </Button>
          This is the first part of a long text.
        </p>
      )}
      {alone.error && (
        <InlineError
          title="Could not load the whole text"
          error={alone.error}
          onRetry={() => void alone.refetch()}
        />
      )}
      {wanted && inBlob && (
        <FullText
          title="The whole text"
          blob={block.blob}
          sizeBytes={block.sizeBytes}
          onClose={() => setWanted(false)}
        />
      )}
    </>
  );
}
