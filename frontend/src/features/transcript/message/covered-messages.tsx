import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";
import { api, type MessageView } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { plural, t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { placeKey } from "@/lib/tree/tree";
import { useTranscript } from "../scope";
import { InlineError } from "../text/inline-error";
import { BlockView } from "./block-view";
import { speakerOf } from "./speaker";

/** How many messages are shown at first, and added with each request. */
const atOnce = 20;

/** The messages that a compaction replaces in the context: a fold that opens to them, and the way to the first one that stays. */
export function CoveredMessages({ message }: { message: MessageView }) {
  const { session } = useTranscript();
  const [shown, setShown] = useState(0);
  const firstKept = message.compaction?.firstKept ?? "";
  const { data: place } = useQuery({
    queryKey: placeKey(session.id, firstKept),
    queryFn: () => api.locate(session.id, firstKept),
  });
  if (!place || place.depth === 0) return null;
  const open = shown > 0;
  return (
    <>
      <p className="my-2 flex flex-wrap gap-2">
        <Button variant="quiet" aria-expanded={open} onClick={() => setShown(open ? 0 : atOnce)}>
          {open
            ? plural(
                place.depth,
                "Hide {{count}} replaced message",
                "Hide {{count}} replaced messages",
              )
            : plural(
                place.depth,
                "Show {{count}} replaced message",
                "Show {{count}} replaced messages",
              )}
        </Button>
        <Button variant="quiet" onClick={() => runCommand("go-to-message", firstKept)}>
          {t("Go to the first message that is still sent")}
        </Button>
      </p>
      {open && <Beginning leafUid={message.uid} count={Math.min(shown, place.depth)} />}
      {open && shown < place.depth && (
        <Button variant="quiet" onClick={() => setShown((now) => now + atOnce * 2)}>
          {t("Show more")}
        </Button>
      )}
    </>
  );
}

/** The first messages of a path. */
function Beginning({ leafUid, count }: { leafUid: string; count: number }) {
  const { session } = useTranscript();
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.window(session.id), leafUid, "covered", count],
    queryFn: () => api.getWindow(session.id, leafUid, 0, count),
    placeholderData: (before) => (before?.leafUid === leafUid ? before : undefined),
  });
  if (error)
    return (
      <InlineError
        title={t("Could not load these messages")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return data?.messages.map(
    (one) =>
      !one.hidden && (
        <div key={one.uid} className={`message ruled opens tone-${speakerOf(one).tone}`}>
          <p className="text-sm text-text-3">
            {speakerOf(one).word}{" "}
            <Tooltip text={`m${one.seq}`}>
              <button
                type="button"
                className="rounded px-1 underline underline-offset-2 hover:bg-sunken hover:text-text"
                onClick={() => runCommand("go-to-message", one.uid)}
              >
                {t("Go to this message")}
              </button>
            </Tooltip>
          </p>
          {one.blocks.map((block) => (
            <BlockView key={block.part} card={{ message: one, block }} />
          ))}
        </div>
      ),
  );
}
