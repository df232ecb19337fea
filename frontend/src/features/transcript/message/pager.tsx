import { useQuery } from "@tanstack/react-query";
import { Columns2 } from "lucide-react";
import { useState } from "react";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { SiblingPager } from "@/components/session/sibling-pager";
import { api, type MessageView, type Sibling } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { useLanes } from "@/lib/run/runs";
import { type MessageActions, useTranscript } from "../scope";

/** ‹ 2 / 3 ›: the alternatives at a message's place. */
export function Pager({ message }: { message: MessageView }) {
  const { session, actions } = useTranscript();
  const beside = useLanes(session.id).filter(
    ({ running, fromUid }) => running && fromUid !== "" && fromUid === message.parentUid,
  );
  const [wanted, setWanted] = useState(false);
  const { data: siblings, error } = useQuery({
    queryKey: keys.siblings(session.id, message.uid),
    queryFn: () => api.listSiblings(session.id, message.uid),
    enabled: wanted,
  });
  return (
    <SiblingPager
      at={message.siblingIndex - 1}
      count={message.siblings}
      running={beside.length}
      alternatives={siblings?.map(({ messages, ...sibling }) => ({
        ...sibling,
        running: beside.some(({ topUid }) => topUid === sibling.uid),
        size: formatPlural(messages, "message"),
      }))}
      error={error}
      more={siblings && comparisons(message, siblings, actions)}
      onWant={() => setWanted(true)}
      onStep={(step) => actions.stepSibling(message, step)}
      onGo={(at) => {
        const sibling = siblings?.[at];
        if (sibling) actions.showSibling(message, sibling.uid);
      }}
    />
  );
}

/** The message beside the one after it, and the one before. */
function comparisons(
  message: MessageView,
  siblings: readonly Sibling[],
  actions: MessageActions,
): MenuEntry[] {
  return [1, -1].flatMap((step): MenuEntry[] => {
    const at = message.siblingIndex + step;
    const other = siblings[at - 1];
    if (!other) return [];
    const title =
      siblings.length === 2
        ? t("Compare the two")
        : t("Compare with alternative {{number}}", { number: at });
    return [{ title, icon: Columns2, onSelect: () => actions.compareSibling(message, other.uid) }];
  });
}
