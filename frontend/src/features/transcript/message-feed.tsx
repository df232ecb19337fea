import type { FocusEvent, KeyboardEvent } from "react";
import { toastDone } from "@/components/feedback/toast";
import { ContextMenu } from "@/components/menu/context-menu";
import type { MessageView } from "@/lib/api/api";
import { writeClipboard } from "@/lib/browser/clipboard";
import { t } from "@/lib/i18n/i18n";
import { contextEntries } from "./keys/context-entries";
import { LiveTail } from "./live/live-tail";
import type { Path } from "./path/use-path";
import { PathRows } from "./path-rows";
import { useTranscript } from "./scope";
import { copyCodeBlock } from "./text/code-blocks";
import type { ShownPath } from "./use-shown-path";

interface MessageFeedProps {
  shown: ShownPath;
  tabStop: number;
  /** The run writes at the end of this path. */
  isLive: boolean;
  hidden: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocus: (event: FocusEvent) => void;
}

/** The messages of a path that are on screen, in a box that scrolls. */
export function MessageFeed({ shown, tabStop, isLive, hidden, ...on }: MessageFeedProps) {
  const { boxes, path, view, place } = shown;
  const { actions } = useTranscript();
  // While another path loads, the column still has the rows of the previous one.
  const rowCount = view.column.length;
  return (
    <ContextMenu entries={(target) => contextEntries(target, path, actions)}>
      <div
        ref={boxes.scroller}
        role="feed"
        aria-label={t("Messages")}
        aria-busy={!path.isReady}
        hidden={hidden}
        data-pane-focus=""
        tabIndex={-1}
        // An opaque ground, so that it scrolls as a layer.
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto bg-surface outline-none [overflow-anchor:none]"
        onScroll={view.onScroll}
        onPointerDown={view.release}
        onWheel={view.release}
        onKeyDown={on.onKeyDown}
        onFocus={on.onFocus}
        onClick={(event) => {
          if (copyCodeBlock(event.target, writeClipboard)) toastDone(t("Copied the code"));
        }}
      >
        <div ref={boxes.spacer} className="relative overflow-hidden">
          <div ref={boxes.slab} className="absolute inset-x-0 top-0">
            <PathRows
              path={path}
              range={view.range}
              tabStop={tabStop}
              flashIndex={place.flashIndex}
            />
          </div>
          <div ref={boxes.tail} className="messages-inset absolute inset-x-0 top-0 flow-root">
            {isLive && (
              <LiveTail
                before={lastShown(path, rowCount)}
                isShown={(uid) => isOnScreen(path, rowCount, uid)}
                lastUid={path.row(rowCount - 1)?.message.uid ?? ""}
              />
            )}
          </div>
        </div>
      </div>
    </ContextMenu>
  );
}

/** A draft is shown as a message soon after it is written, so it is among the last ones. */
const lookedAt = 60;

function isOnScreen(path: Path, rowCount: number, uid: string): boolean {
  for (let index = rowCount - 1; index >= Math.max(0, rowCount - lookedAt); index--)
    if (path.row(index)?.message.uid === uid) return true;
  return false;
}

/** The last message that is shown. */
function lastShown(path: Path, rowCount: number): MessageView | undefined {
  for (let index = rowCount - 1; index >= Math.max(0, rowCount - lookedAt); index--) {
    const row = path.row(index);
    if (row && !row.message.hidden) return row.message;
  }
  return undefined;
}
