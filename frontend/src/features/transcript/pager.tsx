import { useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight, Columns2 } from "lucide-react";
import { useState } from "react";
import { IconButton } from "@/components/icon-button";
import { Menu } from "@/components/menu";
import type { MenuEntry } from "@/components/menu-entry";
import { api, type MessageView, type Sibling } from "@/lib/api";
import { formatAge, formatCount, formatPlural } from "@/lib/format";
import { keys } from "@/lib/query";
import { type MessageActions, useTranscript } from "./scope";

/** ‹ 2 / 3 ›: the alternatives at a message's place, with a menu that lists them. */
export function Pager({ message }: { message: MessageView }) {
  const { session, actions } = useTranscript();
  const [wanted, setWanted] = useState(false);
  const { data: siblings, error } = useQuery({
    queryKey: keys.siblings(session.id, message.uid),
    queryFn: () => api.listSiblings(session.id, message.uid),
    enabled: wanted,
  });
  const { siblingIndex: at, siblings: count } = message;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only fetches ahead what the menu will show
    <div
      className="flex h-[22px] shrink-0 items-center rounded border border-border text-text-2"
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
    >
      <IconButton
        icon={ChevronLeft}
        label="Previous alternative"
        keys="Alt+ArrowUp"
        className="!h-5 !w-6"
        disabled={at <= 1}
        onClick={() => actions.stepSibling(message, -1)}
      />
      <Menu
        align="end"
        label="Alternatives"
        onOpenChange={(open) => open && setWanted(true)}
        entries={entriesOf(message, siblings, error, actions)}
        trigger={
          <button
            type="button"
            aria-label={`Alternative ${at} of ${count}`}
            className="h-5 min-w-9 rounded-sm px-0.5 text-center text-sm text-text hover:bg-sunken data-[state=open]:bg-sunken"
          >
            {formatCount(at)} / {formatCount(count)}
          </button>
        }
      />
      <IconButton
        icon={ChevronRight}
        label="Next alternative"
        keys="Alt+ArrowDown"
        className="!h-5 !w-6"
        disabled={at >= count}
        onClick={() => actions.stepSibling(message, 1)}
      />
    </div>
  );
}

function entriesOf(
  message: MessageView,
  siblings: readonly Sibling[] | undefined,
  error: unknown,
  actions: MessageActions,
): MenuEntry[] {
  const heading = { title: formatPlural(message.siblings, "alternative"), heading: true as const };
  if (error) return [heading, { title: "They could not be loaded", disabled: true }];
  if (!siblings) return [heading, { title: "Loading…", disabled: true }];
  const lines = nearby(siblings, message.siblingIndex - 1).map(
    ({ uid, preview, model, messages, createdAtMs }): MenuEntry => ({
      title: preview || "No text",
      detail: [model, formatAge(createdAtMs), formatPlural(messages, "message")]
        .filter(Boolean)
        .join(" · "),
      checked: uid === message.uid,
      onSelect: () => actions.showSibling(message, uid),
    }),
  );
  const compared = [1, -1].flatMap((step): MenuEntry[] => {
    const at = message.siblingIndex + step;
    const other = siblings[at - 1];
    if (!other) return [];
    const title = siblings.length === 2 ? "Compare the two" : `Compare with ${formatCount(at)}`;
    return [{ title, icon: Columns2, onSelect: () => actions.compareSibling(message, other.uid) }];
  });
  return [heading, ...lines, "separator", ...compared];
}

const listed = 60;

/** Those around a place where there are too many for a menu. */
function nearby(siblings: readonly Sibling[], at: number): readonly Sibling[] {
  const from = Math.max(0, Math.min(at - listed / 2, siblings.length - listed));
  return siblings.slice(from, from + listed);
}
