import { useQuery } from "@tanstack/react-query";
import { type CSSProperties, useState } from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { AuthorMark } from "@/components/session/author-mark";
import { authorStyle } from "@/components/session/author-style";
import { type AgentTurn, api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatCost, formatTokens } from "@/lib/format/format";
import { visible } from "@/lib/format/visible";
import { plural, t } from "@/lib/i18n/i18n";
import type { OnView } from "@/lib/session/location";
import { type LaneRow, type LaneTotals, laneRows, laneTotals } from "./lane-rows";

/** So many rows are drawn at first, the last ones; a button draws as many more. */
const portion = 150;

interface AgentLanesProps {
  sessionId: string;
  /** The agents of the session, in the order of their colors. */
  authors: readonly string[];
  onView: OnView;
}

/** A lane for each agent: what each did, one below the other in the order of time. What worked in parallel is side by side. */
export function AgentLanes({ sessionId, authors, onView }: AgentLanesProps) {
  const { data, error, refetch } = useQuery({
    queryKey: keys.agentTurns(sessionId),
    queryFn: () => api.listAgentTurns(sessionId),
  });
  const [drawn, setDrawn] = useState(portion);
  if (error)
    return (
      <ErrorState
        title={t("Could not read the turns of the agents")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <div className="min-h-0 flex-1" />;
  const rows = laneRows(data);
  const totals = laneTotals(data);
  const shown = rows.slice(-drawn);
  const view = (uid: string) => void viewMessage(sessionId, uid, onView);
  const columns = { "--lanes": authors.length } as CSSProperties;
  return (
    <section
      aria-label={t("Turns by agent")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto bg-bg -outline-offset-2"
    >
      <div className="min-w-fit px-3 pb-3">
        <div
          className="sticky top-0 z-10 grid grid-cols-[repeat(var(--lanes),minmax(68px,1fr))] gap-1.5 bg-bg py-2"
          style={columns}
        >
          {authors.map((name) => (
            <LaneHead key={name} name={name} authors={authors} totals={totals.get(name)} />
          ))}
        </div>
        {rows.length > shown.length && (
          <Button variant="quiet" onClick={() => setDrawn(drawn + portion)}>
            {t("Show earlier turns")}
          </Button>
        )}
        <ol className="flex flex-col gap-1.5">
          {shown.map((row) => (
            <li
              key={(row.prompt ?? row.turns[0])?.firstUid}
              style={columns}
              className="grid grid-cols-[repeat(var(--lanes),minmax(68px,1fr))] gap-1.5"
            >
              <Row row={row} authors={authors} onView={view} />
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

/** Shows a message in the transcript, on a path through it. */
async function viewMessage(sessionId: string, uid: string, onView: OnView): Promise<void> {
  try {
    const { leafUid } = await api.locate(sessionId, uid);
    onView({ leafUid, focusUid: uid });
  } catch (error) {
    toastError(t("Could not show the message"), error);
  }
}

interface LaneHeadProps {
  name: string;
  authors: readonly string[];
  /** Undefined: it has had no turn. */
  totals: LaneTotals | undefined;
}

function LaneHead({ name, authors, totals }: LaneHeadProps) {
  const words = totals
    ? [
        plural(totals.turns, "{{count}} turn", "{{count}} turns"),
        totals.tokens > 0 && formatTokens(totals.tokens),
        formatCost(totals.costNanoUsd),
      ]
    : [t("no turn yet")];
  return (
    <div
      className="min-w-0 border-b-2 pb-1"
      style={{ ...authorStyle(name, authors), borderColor: "var(--author)" }}
    >
      <AuthorMark name={name} authors={authors} className="max-w-full font-semibold" />
      <p className="text-xs text-text-3">{words.filter(Boolean).join(" · ")}</p>
    </div>
  );
}

interface RowProps {
  row: LaneRow;
  authors: readonly string[];
  onView: (uid: string) => void;
}

function Row({ row: { prompt, turns }, authors, onView }: RowProps) {
  if (prompt)
    return (
      <button
        type="button"
        onClick={() => onView(prompt.firstUid)}
        className="col-span-full mt-2 truncate rounded border-s-2 border-you bg-sunken px-2 py-1 text-start hover:bg-surface"
      >
        <span className="font-semibold text-you">{t("You")}</span>{" "}
        <span dir="auto">{visible(prompt.text)}</span>
      </button>
    );
  return turns.map((turn) => (
    <TurnBlock key={turn.firstUid} turn={turn} authors={authors} onView={onView} />
  ));
}

interface TurnBlockProps {
  turn: AgentTurn;
  authors: readonly string[];
  onView: (uid: string) => void;
}

function TurnBlock({ turn, authors, onView }: TurnBlockProps) {
  const { agent, text, tokens, costNanoUsd, firstUid } = turn;
  const facts = [tokens > 0 && formatTokens(tokens), formatCost(costNanoUsd)].filter(Boolean);
  return (
    <button
      type="button"
      aria-label={[agent, visible(text), ...facts].filter(Boolean).join(", ")}
      onClick={() => onView(firstUid)}
      style={{
        ...authorStyle(agent, authors),
        gridRow: 1,
        gridColumn: Math.max(0, authors.indexOf(agent)) + 1,
        borderInlineStartColor: "var(--author)",
      }}
      className="min-w-0 rounded border border-border border-s-[3px] bg-surface px-1.5 py-1 text-start hover:bg-sunken"
    >
      <span dir="auto" className="line-clamp-3 text-sm [overflow-wrap:anywhere]">
        {text === "" ? t("no text") : visible(text)}
      </span>
      {facts.length > 0 && <span className="text-xs text-text-3">{facts.join(" · ")}</span>}
    </button>
  );
}
