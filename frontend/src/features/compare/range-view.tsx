import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Button } from "@/components/form/button";
import { SkeletonRow } from "@/features/transcript/column/skeleton-row";
import { planPage } from "@/features/transcript/path/plan";
import { useTranscript } from "@/features/transcript/scope";
import { InlineError } from "@/features/transcript/text/inline-error";
import { api, type MessageView } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { plural, t } from "@/lib/i18n/i18n";
import { ComparedMessage } from "./compared-message";

interface RangeViewProps {
  leafUid: string;
  /** The depth of the first message. */
  from: number;
  messages: number;
  /** The end matters: more is shown upwards. */
  fromEnd?: boolean;
}

/** The number of messages shown at first, and added with each request. */
const atOnce = 20;
const more = 60;

/** A range of a path: its beginning, and the rest on demand. */
export function RangeView({ leafUid, from, messages, fromEnd = false }: RangeViewProps) {
  const { session } = useTranscript();
  const [wanted, setWanted] = useState(atOnce);
  const count = Math.min(messages, wanted);
  const start = fromEnd ? from + messages - count : from;
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.window(session.id), leafUid, "range", start, count],
    queryFn: () => api.getWindow(session.id, leafUid, start, count),
    placeholderData: (before) => (before?.leafUid === leafUid ? before : undefined),
  });
  const rows = useMemo(() => rowsOf(data?.messages ?? [], data?.from ?? 0), [data]);
  if (error)
    return (
      <InlineError
        title={t("Could not load these messages")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <SkeletonRow />;
  const rest = messages - count;
  const showMore = rest > 0 && (
    <Button variant="quiet" className="my-2" onClick={() => setWanted((now) => now + more)}>
      {fromEnd
        ? plural(
            Math.min(rest, more),
            "Show {{count}} earlier message of {{total}}",
            "Show {{count}} earlier messages of {{total}}",
            { total: messages },
          )
        : plural(
            Math.min(rest, more),
            "Show {{count}} more message of {{total}}",
            "Show {{count}} more messages of {{total}}",
            { total: messages },
          )}
    </Button>
  );
  return (
    <>
      {fromEnd && showMore}
      {rows.map((row) => !row.absent && <ComparedMessage key={row.message.uid} row={row} />)}
      {!fromEnd && showMore}
    </>
  );
}

function rowsOf(messages: readonly MessageView[], from: number) {
  return planPage({ from, messages, before: null, after: [], isLast: true });
}
