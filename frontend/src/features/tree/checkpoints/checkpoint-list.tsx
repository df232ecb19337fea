import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { ContextMenu } from "@/components/menu/context-menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import type { Checkpoint } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { CheckpointRow } from "./checkpoint-row";

interface CheckpointListProps {
  /** Those that are read so far, newest first. */
  checkpoints: readonly Checkpoint[];
  headUid: string;
  nowMs: number;
  /** The row with the focus, which stays drawn; empty: none. */
  selectedId: string;
  onSelect: (id: string) => void;
  onView: (checkpoint: Checkpoint) => void;
  onRestore: (checkpoint: Checkpoint) => void;
  menuFor: (checkpoint: Checkpoint) => readonly MenuEntry[];
  /** No older ones exist. */
  isWhole: boolean;
  /** The end of what is read comes into view. */
  onEnd: () => void;
}

const rowHeight = 52;
/** Older checkpoints are asked for so many rows before the end. */
const ahead = 40;

/** The rows in view of a list of checkpoints that may be long. */
export function CheckpointList(props: CheckpointListProps) {
  const { checkpoints, selectedId, onSelect, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const selected = checkpoints.findIndex(({ id }) => id === selectedId);
  const virtualizer = useVirtualizer({
    count: checkpoints.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: useCallback((index: number) => checkpoints[index]?.id ?? index, [checkpoints]),
    overscan: 8,
    // The row with the focus stays drawn, so that the keys continue from it.
    rangeExtractor: useCallback(
      (range: Range) => {
        const rows = defaultRangeExtractor(range);
        if (selected >= 0 && !rows.includes(selected)) rows.push(selected);
        return rows.sort((a, b) => a - b);
      },
      [selected],
    ),
  });
  const last = virtualizer.range?.endIndex ?? 0;
  useEffect(() => {
    if (last + ahead >= checkpoints.length) onEnd();
  }, [last, checkpoints.length, onEnd]);
  // The row below or above may be drawn only after the scrolling that shows it.
  const wanted = useRef("");
  useLayoutEffect(() => {
    if (wanted.current === "") return;
    list.current
      ?.querySelector<HTMLElement>(`button[data-checkpoint="${wanted.current}"]`)
      ?.focus();
    wanted.current = "";
  });
  const moveFocus = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = checkpoints[selected + (step ?? 0)];
    if (!step || !next) return;
    event.preventDefault();
    wanted.current = next.id;
    onSelect(next.id);
    virtualizer.scrollToIndex(selected + step);
  };
  return (
    <ContextMenu
      entries={(element) => {
        const id = element.closest("li")?.dataset.checkpoint;
        const checkpoint = checkpoints.find((one) => one.id === id);
        return checkpoint ? props.menuFor(checkpoint) : [];
      }}
    >
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto bg-surface">
        <ul
          ref={list}
          aria-label={t("Checkpoints")}
          className="relative"
          style={{ height: virtualizer.getTotalSize() }}
          onKeyDown={moveFocus}
        >
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const checkpoint = checkpoints[index];
            return (
              checkpoint && (
                <li
                  key={checkpoint.id}
                  data-checkpoint={checkpoint.id}
                  aria-posinset={index + 1}
                  aria-setsize={props.isWhole ? checkpoints.length : -1}
                  className="absolute inset-x-0 top-0"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <CheckpointRow
                    checkpoint={checkpoint}
                    before={checkpoints[index + 1]}
                    nowMs={props.nowMs}
                    isHead={checkpoint.uid === props.headUid}
                    onSelect={() => onSelect(checkpoint.id)}
                    onView={() => props.onView(checkpoint)}
                    onRestore={() => props.onRestore(checkpoint)}
                  />
                </li>
              )
            );
          })}
        </ul>
      </div>
    </ContextMenu>
  );
}
