import { useQuery } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { Tooltip } from "@/components/text/tooltip";
import { api, type Comparison, type Sibling, type Side } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatAge, formatExact, formatPlural } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { visible } from "@/lib/format/visible";
import { t } from "@/lib/i18n/i18n";
import { commandSpec } from "@/lib/keys/commands";
import { useTree } from "@/lib/tree/tree";
import { sideFacts, sideLabel } from "./side-words";

interface SideHeaderProps {
  name: "left" | "right";
  comparison: Comparison;
  isHead: boolean;
  onContinue: () => void;
  /** Shows the path through another message on this side. */
  onChoose: (uid: string) => void;
}

/** The name of a branch, its cost, and a way to continue from it. */
export function SideHeader({ name, comparison, isHead, onContinue, onChoose }: SideHeaderProps) {
  const side = comparison[name];
  const { data: tree } = useTree(comparison.sessionId);
  const label = tree ? sideLabel(tree, comparison.ancestorTurn, side.turn) : "";
  return (
    <section
      aria-label={name === "left" ? t("The left branch") : t("The right branch")}
      className="min-w-0 border-border px-6 py-2.5 first:border-e"
    >
      <div className="flex h-7 items-center gap-2">
        <Chooser comparison={comparison} side={side} label={label} onChoose={onChoose} />
        {isHead && <span className="shrink-0 text-sm text-accent">{t("current")}</span>}
        <span className="flex-1" />
        <Button onClick={onContinue}>{commandSpec("move-head").title}</Button>
      </div>
      <Tooltip
        text={side.endedAtMs > 0 ? t("Ends {{time}}", { time: formatExact(side.endedAtMs) }) : ""}
      >
        <p className="mt-1 flex min-w-0 flex-wrap gap-x-3 text-sm text-text-2 tabular-nums">
          {sideFacts(side).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {side.messages === 0 && <span>{t("the other branch continues from here")}</span>}
        </p>
      </Tooltip>
      <p className="h-4 truncate text-sm text-text-3" title={side.models.join(", ")}>
        {side.models.join(", ")}
      </p>
    </section>
  );
}

interface ChooserProps {
  comparison: Comparison;
  side: Side;
  /** The last label of the side's own turns; empty: none. */
  label: string;
  onChoose: (uid: string) => void;
}

/** The branch's name; its menu lists the other branches that begin where the two diverge. */
function Chooser({ comparison, side, label, onChoose }: ChooserProps) {
  const { sessionId, shared } = comparison;
  const name = useSideName(comparison, side, label);
  const [wanted, setWanted] = useState(false);
  const { data, error } = useQuery({
    queryKey: [...keys.siblings(sessionId, side.leafUid), "from", shared],
    queryFn: async () => {
      const { messages } = await api.getWindow(sessionId, side.leafUid, shared, 1);
      const first = messages[0];
      return first ? api.listSiblings(sessionId, first.uid) : [];
    },
    enabled: wanted,
  });
  return (
    <Menu
      label={t("Branches from the fork")}
      onOpenChange={(open) => open && setWanted(true)}
      entries={entriesOf(data, error, side, onChoose)}
      trigger={
        <button
          type="button"
          aria-label={t("{{name}}: choose another branch", { name })}
          title={name}
          className="-ms-1.5 flex h-7 min-w-0 items-center gap-1 rounded px-1.5 font-semibold hover:bg-sunken data-[state=open]:bg-sunken"
        >
          <span className="truncate" dir="auto">
            {name}
          </span>
          <ChevronDown size={12} className="text-text-3" aria-hidden="true" />
        </button>
      }
    />
  );
}

/** A side by its label, else by the first words after the fork, of an answer with its model. */
function useSideName({ sessionId, shared }: Comparison, side: Side, label: string): string {
  const { data } = useQuery({
    queryKey: [...keys.window(sessionId), "side", side.leafUid, shared],
    queryFn: async () => {
      const from = side.messages > 0 ? shared : Math.max(0, shared - 1);
      return (await api.getWindow(sessionId, side.leafUid, from, 1)).messages[0];
    },
    enabled: label === "",
  });
  if (label !== "") return label;
  if (!data) return "…";
  const words = visible(data.blocks.find(({ text }) => text !== "")?.text ?? "");
  const model = data.role === "assistant" ? shortModel(data.model) : "";
  const text = [model, words].filter(Boolean).join(" · ") || t("no text");
  return text.length > mostName ? `${text.slice(0, mostName).trimEnd()}…` : text;
}

const mostName = 80;

function entriesOf(
  siblings: readonly Sibling[] | undefined,
  error: unknown,
  side: Side,
  onChoose: (uid: string) => void,
): MenuEntry[] {
  const heading = { title: t("From the fork"), heading: true as const };
  if (error) return [heading, { title: t("Could not load the branches"), disabled: true }];
  if (!siblings) return [heading, { title: t("Loading branches…"), disabled: true }];
  if (siblings.length === 0)
    return [heading, { title: t("This branch ends at the fork"), disabled: true }];
  return [
    heading,
    ...siblings.map(
      ({ uid, turn, preview, model, messages, createdAtMs }): MenuEntry => ({
        title: [shortModel(model), preview || t("No text")].filter(Boolean).join(" · "),
        detail: [formatAge(createdAtMs), formatPlural(messages, "message")]
          .filter(Boolean)
          .join(" · "),
        disabled: turn === side.turn && siblings.length === 1,
        onSelect: () => onChoose(uid),
      }),
    ),
  ];
}
