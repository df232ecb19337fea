import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "@/components/form/icon-button";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { formatAge, formatCount, formatPlural } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { t } from "@/lib/i18n/i18n";

/** A sibling that continues from the same message, as the pager's menu lists it. */
export interface Alternative {
  /** Its first words. */
  preview: string;
  model: string;
  createdAtMs: number;
  /** The size of the subtree: "214 messages". */
  size: string;
  /** A run is active in it. */
  running?: boolean;
}

interface SiblingPagerProps {
  /** The index of the one that is shown, from 0. */
  at: number;
  count: number;
  /** How many of them are being written. */
  running?: number;
  /** The siblings in order, at least the 60 around the one that is shown; undefined while they are loading, or not needed yet. */
  alternatives: readonly Alternative[] | undefined;
  /** The index of the first one of `alternatives`; 0 by default. */
  from?: number;
  error?: unknown;
  /** Further entries of the menu. */
  more?: readonly MenuEntry[] | undefined;
  /** The menu may open soon. */
  onWant?: () => void;
  onStep: (step: 1 | -1) => void;
  onGo: (at: number) => void;
}

/** ‹ 2 / 3 ›: the alternatives at a position, with a menu that lists them. */
export function SiblingPager(props: SiblingPagerProps) {
  const { at, count, running = 0, onWant, onStep } = props;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only fetches ahead what the menu will show
    <div
      className="flex h-[22px] shrink-0 items-center rounded border border-border text-text-2"
      onPointerEnter={onWant}
      onFocus={onWant}
    >
      <IconButton
        icon={ChevronLeft}
        label={t("Previous alternative")}
        keys="Alt+ArrowUp"
        className="!h-5 !w-6"
        disabled={at <= 0}
        onClick={() => onStep(-1)}
      />
      <Menu
        align="end"
        label={t("Alternatives")}
        onOpenChange={(open) => open && onWant?.()}
        entries={entriesOf(props)}
        trigger={
          <button
            type="button"
            aria-label={
              running > 0
                ? t("Alternative {{at}} of {{count}}, {{running}} running", {
                    at: at + 1,
                    count,
                    running,
                  })
                : t("Alternative {{at}} of {{count}}", { at: at + 1, count })
            }
            className="inline-flex items-center justify-center gap-1.5 h-5 min-w-9 rounded-sm px-0.5 text-center text-sm text-text hover:bg-sunken data-[state=open]:bg-sunken"
          >
            {running > 0 && <span aria-hidden="true" className="run-dot" />}
            {formatCount(at + 1)} / {formatCount(count)}
          </button>
        }
      />
      <IconButton
        icon={ChevronRight}
        label={t("Next alternative")}
        keys="Alt+ArrowDown"
        className="!h-5 !w-6"
        disabled={at >= count - 1}
        onClick={() => onStep(1)}
      />
    </div>
  );
}

/** How many are listed, around the one that is shown. */
const listed = 60;

function entriesOf(props: SiblingPagerProps): MenuEntry[] {
  const { at, count, alternatives, from = 0, error, more = [], onGo } = props;
  const heading = { title: formatPlural(count, "alternative"), heading: true as const };
  if (error) return [heading, { title: t("Could not load the alternatives"), disabled: true }];
  if (!alternatives) return [heading, { title: t("Loading alternatives…"), disabled: true }];
  const first = Math.max(0, Math.min(at - listed / 2, count - listed));
  const lines = alternatives.slice(first - from, first - from + listed).map(
    ({ preview, model, createdAtMs, size, running }, place): MenuEntry => ({
      title: preview || t("No text"),
      detail: [shortModel(model), formatAge(createdAtMs), size, running && t("running")]
        .filter(Boolean)
        .join(" · "),
      checked: first + place === at,
      onSelect: () => onGo(first + place),
    }),
  );
  return more.length === 0 ? [heading, ...lines] : [heading, ...lines, "separator", ...more];
}
