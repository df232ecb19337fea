import { ChevronLeft, ChevronRight, X } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { formatCount } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { commandSpec, keyOf, runCommand } from "@/lib/keys/commands";
import { endTrail, useHitTrail } from "@/lib/session/hit-trail";

const small = "!h-5 !w-6";

/** ‹ 4 / 27 ›: the hits of the last search, while one of this session is shown. */
export function HitPager({ sessionId }: { sessionId: string }) {
  const trail = useHitTrail();
  if (!trail || trail.hits[trail.index]?.sessionId !== sessionId) return null;
  const { hits, index, more } = trail;
  const count = `${formatCount(hits.length)}${more ? "+" : ""}`;
  return (
    <fieldset
      aria-label={t("Hits of the search")}
      className="flex h-[26px] shrink-0 items-center rounded border border-border bg-mark/30 text-text-2"
    >
      <IconButton
        icon={ChevronLeft}
        label={commandSpec("previous-hit").title}
        keys={keyOf("previous-hit")}
        className={small}
        disabled={index === 0}
        onClick={() => runCommand("previous-hit")}
      />
      <span role="status" className="min-w-9 text-center text-sm whitespace-nowrap text-text">
        {formatCount(index + 1)} / {count}
      </span>
      <IconButton
        icon={ChevronRight}
        label={commandSpec("next-hit").title}
        keys={keyOf("next-hit")}
        className={small}
        disabled={index === hits.length - 1}
        onClick={() => runCommand("next-hit")}
      />
      <IconButton icon={X} label={t("Forget the hits")} className={small} onClick={endTrail} />
    </fieldset>
  );
}
