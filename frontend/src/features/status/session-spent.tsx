import { useQuery } from "@tanstack/react-query";
import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import { PopoverCard } from "@/components/overlay/popover";
import { AuthorMark } from "@/components/session/author-mark";
import { api, type ModelCost, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatCost, formatCount, formatEstimate, formatTokens } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import type { Live } from "@/lib/run/live";
import { useAuthors } from "@/lib/session/authors";
import { isScripted } from "@/lib/session/choice";

interface SpentProps {
  session: Session;
  live: Live | undefined;
}

/** Tokens and cost of the session, and the cost of each model. */
export function SessionSpent({ session, live }: SpentProps) {
  const { tokens, cost, known, estimate } = spentOf(session, live);
  if (tokens === 0) return null;
  const billed = known ? cost : cost ? t("{{cost}} and more", { cost }) : "";
  const listed = estimate && t("{{estimate}} at list price", { estimate });
  const words = [billed, listed].filter(Boolean).join(", ") || t("cost unknown");
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={t("{{tokens}}, {{cost}}: cost by model", {
            tokens: formatTokens(tokens),
            cost: words,
          })}
          className="-mx-1.5 flex gap-4 rounded px-1.5 hover:bg-sunken hover:text-text data-[state=open]:bg-sunken tiny:hidden"
        >
          <span>{formatTokens(tokens)}</span>
          <span>{words}</span>
        </button>
      </Popover.Trigger>
      <PopoverCard
        side="top"
        align="start"
        label={t("Cost by model")}
        className="max-w-[calc(100vw-16px)] p-4"
      >
        <ModelCosts session={session} />
        <AgentCosts session={session} />
      </PopoverCard>
    </Popover.Root>
  );
}

/** The session's totals; during a run they lag behind only slightly. */
function spentOf(session: Session, live: Live | undefined) {
  const tokens = session.inputTokens + session.outputTokens;
  const known = session.costNanoUsd !== undefined && session.costNanoUsd !== null;
  const unpriced = (live?.run.unpricedSteps ?? 0) > 0;
  return {
    tokens,
    cost: formatCost(session.costNanoUsd),
    known: known && !unpriced,
    estimate: formatEstimate(session.estimatedCostNanoUsd, session.unpricedCalls > 0),
  };
}

function ModelCosts({ session }: { session: Session }) {
  const { data, error } = useQuery({
    queryKey: keys.modelCosts(session.id),
    queryFn: () => api.listModelCosts(session.id),
  });
  if (error) return <p className="text-error">{t("Could not read the costs.")}</p>;
  if (!data) return <p className="text-text-3">{t("Loading costs…")}</p>;
  if (data.length === 0) return <p className="text-text-3">{t("No model was called yet.")}</p>;
  const rows = data.map((one) => ({ name: one.model || t("unknown"), cost: one }));
  return <CostTable title={t("Model")} rows={rows} />;
}

/** The costs of a session by agent; nothing in a session of one agent. */
function AgentCosts({ session }: { session: Session }) {
  const authors = useAuthors(session.id);
  const { data } = useQuery({
    queryKey: keys.agentCosts(session.id),
    queryFn: () => api.listAgentCosts(session.id),
    enabled: authors.length > 0,
  });
  if (!data || authors.length === 0) return null;
  const rows = data.map((one) => ({ name: one.agent, cost: one }));
  return (
    <div className="mt-3 border-t border-border pt-3">
      <CostTable title={t("Agent")} rows={rows} authors={authors} />
    </div>
  );
}

interface CostTableProps {
  title: string;
  rows: readonly { name: string; cost: ModelCost }[];
  /** The agents that the rows are named after, in the order of their colors. */
  authors?: readonly string[];
}

function CostTable({ title, rows, authors }: CostTableProps) {
  return (
    <table className="w-full text-sm">
      <thead className="text-text-3">
        <tr>
          <Head first>{title}</Head>
          <Head>{t("Steps")}</Head>
          <Head>{t("In")}</Head>
          <Head>{t("Out")}</Head>
          <Head>{t("Cost")}</Head>
          <Head>{t("List price")}</Head>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cost }) => (
          <tr key={name}>
            <td className="max-w-64 truncate py-0.5" title={name}>
              {authors && name !== "" ? (
                <AuthorMark name={name} authors={authors} />
              ) : (
                name || t("without an agent")
              )}
            </td>
            <Cell>{formatCount(cost.stepCount)}</Cell>
            <Cell>{formatCount(cost.inputTokens)}</Cell>
            <Cell>{formatCount(cost.outputTokens)}</Cell>
            <Cell>{costWords(cost)}</Cell>
            <Cell>{formatEstimate(cost.estimatedCostNanoUsd, cost.unestimatedSteps > 0)}</Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What a model's steps cost, and how many of them nobody knows the price of. */
export function costWords({ model, costNanoUsd, unpricedSteps }: ModelCost): string {
  if (isScripted(model) && !costNanoUsd) return t("none");
  const cost = formatCost(costNanoUsd);
  if (cost === "") return t("unknown");
  return unpricedSteps > 0
    ? plural(
        unpricedSteps,
        "{{cost}} + {{count}} step unknown",
        "{{cost}} + {{count}} steps unknown",
        { cost },
      )
    : cost;
}

function Head({ first, children }: { first?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={`pb-1 font-normal ${first ? "text-start" : "ps-6 text-end"}`}>
      {children}
    </th>
  );
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="ps-6 text-end text-text-2">{children}</td>;
}
