import { useQuery } from "@tanstack/react-query";
import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import { PopoverCard } from "@/components/overlay/popover";
import { api, type ModelCost, type Session } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import {
  formatCost,
  formatCount,
  formatEstimate,
  formatPlural,
  formatTokens,
} from "@/lib/format/format";
import type { Live } from "@/lib/run/live";
import { isScripted } from "@/lib/session/choice";

interface SpentProps {
  session: Session;
  live: Live | undefined;
}

/** Tokens and cost of the session, and the cost of each model. */
export function SessionSpent({ session, live }: SpentProps) {
  const { tokens, cost, known, estimate } = spentOf(session, live);
  if (tokens === 0) return null;
  const billed = known ? cost : cost ? `${cost} and more` : "";
  const listed = estimate && `${estimate} at list price`;
  const words = [billed, listed].filter(Boolean).join(", ") || "cost unknown";
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button
          type="button"
          aria-label={`${formatTokens(tokens)}, ${words}: cost by model`}
          className="-mx-1.5 flex gap-4 rounded px-1.5 hover:bg-sunken hover:text-text data-[state=open]:bg-sunken tiny:hidden"
        >
          <span>{formatTokens(tokens)}</span>
          <span>{words}</span>
        </button>
      </Popover.Trigger>
      <PopoverCard
        side="top"
        align="start"
        label="Cost by model"
        className="max-w-[calc(100vw-16px)] p-4"
      >
        <ModelCosts session={session} />
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
  if (error) return <p className="text-error">Could not read the costs.</p>;
  if (!data) return <p className="text-text-3">Loading costs…</p>;
  if (data.length === 0) return <p className="text-text-3">No model was called yet.</p>;
  return (
    <table className="text-sm">
      <thead className="text-text-3">
        <tr>
          <Head first>Model</Head>
          <Head>Steps</Head>
          <Head>In</Head>
          <Head>Out</Head>
          <Head>Cost</Head>
          <Head>List price</Head>
        </tr>
      </thead>
      <tbody>
        {data.map((one) => (
          <tr key={one.model}>
            <td className="max-w-64 truncate py-0.5" title={one.model}>
              {one.model || "unknown"}
            </td>
            <Cell>{formatCount(one.stepCount)}</Cell>
            <Cell>{formatCount(one.inputTokens)}</Cell>
            <Cell>{formatCount(one.outputTokens)}</Cell>
            <Cell>{costWords(one)}</Cell>
            <Cell>{formatEstimate(one.estimatedCostNanoUsd, one.unestimatedSteps > 0)}</Cell>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What a model's steps cost, and how many of them nobody knows the price of. */
export function costWords({ model, costNanoUsd, unpricedSteps }: ModelCost): string {
  if (isScripted(model) && !costNanoUsd) return "none";
  const cost = formatCost(costNanoUsd);
  if (cost === "") return "unknown";
  return unpricedSteps > 0 ? `${cost} + ${formatPlural(unpricedSteps, "step")} unknown` : cost;
}

function Head({ first, children }: { first?: boolean; children: ReactNode }) {
  return (
    <th scope="col" className={`pb-1 font-normal ${first ? "text-left" : "pl-6 text-right"}`}>
      {children}
    </th>
  );
}

function Cell({ children }: { children: ReactNode }) {
  return <td className="pl-6 text-right text-text-2">{children}</td>;
}
