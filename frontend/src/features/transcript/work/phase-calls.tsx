import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Skeleton } from "@/components/feedback/skeleton";
import { Button } from "@/components/form/button";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import type { TurnOnPath } from "../path/path-turns";
import { foldOf } from "../path/plan";
import { InlineError } from "../text/inline-error";
import { ToolCard } from "../tools/tool-card";

/** How many calls are added at once. */
const batch = 50;
/** Go returns no more in one answer. */
const most = 200;

/** The calls of a phase of a turn, each on a line that opens to its card. */
export function PhaseCalls({ turn, kind }: { turn: TurnOnPath; kind: string }) {
  const { sessionId, leafUid, number, from, count } = turn;
  const [limit, setLimit] = useState(batch);
  const { data, error, refetch } = useQuery({
    queryKey: keys.work(sessionId, number, count, kind, limit),
    queryFn: () => api.getTurnCalls(sessionId, leafUid, { from, count }, kind, 0, limit),
    placeholderData: keepPreviousData,
  });
  if (error)
    return (
      <InlineError
        title={t("Could not load the calls")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Skeleton className="my-1 ms-8 h-7 w-80" />;
  const left = Math.min(data.total, most) - limit;
  return (
    <div className="work-calls">
      {data.messages.flatMap((message) =>
        message.blocks.map((block) => {
          const card = { message, block };
          return <ToolCard key={foldOf(card)} card={card} />;
        }),
      )}
      {left > 0 && (
        <Button variant="quiet" onClick={() => setLimit(Math.min(most, limit + batch))}>
          {t("Show {{count}} more", { count: Math.min(batch, left) })}
        </Button>
      )}
      {left <= 0 && data.total > most && (
        <p className="py-1 text-text-3">
          {t("{{count}} more in the whole transcript", { count: data.total - most })}
        </p>
      )}
    </div>
  );
}
