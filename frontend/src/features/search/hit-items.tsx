import clsx from "clsx";
import { Command } from "cmdk";
import { SourceMark } from "@/components/session/source-mark";
import type { Hit } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { HitLine } from "./hit-line";
import { groupHits } from "./matching";
import { groupLook, itemLook } from "./panel-looks";

interface HitItemsProps {
  hits: readonly Hit[];
  /** The hits belong to the previous text. */
  waiting: boolean;
  onOpen: (hit: Hit) => void;
}

/** The matching messages, under their sessions. */
export function HitItems({ hits, waiting, onOpen }: HitItemsProps) {
  return groupHits(hits).map((group) => (
    <Command.Group
      key={group.sessionId}
      className={clsx(groupLook, waiting && "opacity-60")}
      heading={
        <span className="flex items-center gap-2 text-text-2">
          <SourceMark source={group.source} />
          <span className="min-w-0 truncate" dir="auto">
            {group.title || t("Untitled")}
          </span>
          <span className="shrink-0 text-text-3">{formatPlural(group.count, "hit")}</span>
        </span>
      }
    >
      {group.hits.map((hit, index) => (
        <Command.Item
          // A message can be hit in several parts.
          // biome-ignore lint/suspicious/noArrayIndexKey: hits of one answer do not move
          key={`${hit.uid} ${index}`}
          value={`hit ${hit.sessionId} ${hit.uid} ${index}`}
          className={itemLook}
          onSelect={() => onOpen(hit)}
        >
          <HitLine hit={hit} />
        </Command.Item>
      ))}
    </Command.Group>
  ));
}
