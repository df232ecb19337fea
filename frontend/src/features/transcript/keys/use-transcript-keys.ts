import { useQueryClient } from "@tanstack/react-query";
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { MessageView, Session } from "@/lib/api";
import { canEdit, canRegenerate } from "@/lib/compose";
import { isTextField } from "@/lib/keys";
import type { ColumnView } from "../column/use-column";
import type { Folds } from "../path/folds";
import { foldNames } from "../path/plan";
import { type Path, pageQuery, pageSize } from "../path/use-path";
import type { MessageActions } from "../scope";

export interface Reading {
  session: Session;
  leafUid: string;
  path: Path;
  view: ColumnView;
  folds: Folds;
  actions: MessageActions;
  /** The row that Tab reaches, and that keys start from. */
  tabStop: number;
  scroller: RefObject<HTMLElement | null>;
  setCurrent: (index: number) => void;
}

/** A press of an arrow scrolls a long message by this much before it leaves it. */
const arrowPixels = 72;
/** So many pages are looked through for the next prompt. */
const mostPages = 400;

/** The last row above that shows something. */
function presentBefore(path: Path, index: number): number | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const row = path.row(at);
    if (!row) return undefined;
    if (!row.absent) return at;
  }
  return undefined;
}

/** The keyboard of the transcript: moving between messages, opening them, and what their menu offers. */
export function useTranscriptKeys(reading: Reading & { onRename: () => void }) {
  const client = useQueryClient();
  const newest = useRef(reading);
  newest.current = reading;
  const [moved, setMoved] = useState<{ index: number }>();
  const search = useRef(0);

  // The row may only now be drawn.
  useLayoutEffect(() => {
    if (!moved) return;
    const { host, absent } = reading.path.row(moved.index) ?? {};
    if (absent) {
      const shown = host === moved.index ? presentBefore(reading.path, moved.index) : host;
      setMoved(shown === undefined ? undefined : { index: shown });
      if (shown !== undefined) reading.setCurrent(shown);
      return;
    }
    const row = reading.scroller.current?.querySelector<HTMLElement>(
      `[data-row="${moved.index}"] > article`,
    );
    row?.focus({ preventScroll: true });
    if (row) setMoved(undefined);
  });

  const moveTo = useCallback((index: number, align: "nearest" | "start" | "end" = "nearest") => {
    const { view, setCurrent } = newest.current;
    const last = view.column.length - 1;
    if (last < 0) return;
    const kept = Math.max(0, Math.min(index, last));
    setCurrent(kept);
    view.goTo({ index: kept, align });
    setMoved({ index: kept });
  }, []);

  const step = useCallback(
    (by: 1 | -1) => {
      const { path, view, tabStop } = newest.current;
      let index = tabStop + by;
      while (index >= 0 && index < view.column.length && path.row(index)?.absent) index += by;
      if (index >= 0 && index < view.column.length) moveTo(index);
      else view.goTo({ index: tabStop, align: by > 0 ? "end" : "start" });
    },
    [moveTo],
  );

  const arrow = useCallback(
    (by: 1 | -1) => {
      const { view, tabStop, scroller } = newest.current;
      const box = scroller.current;
      if (!box) return;
      const top = view.column.offsetOf(tabStop);
      const bottom = view.column.offsetOf(tabStop + 1);
      const longer = by > 0 ? bottom > box.clientHeight : top < 0;
      if (longer && bottom > 0 && top < box.clientHeight) {
        view.release();
        box.scrollTop += by * arrowPixels;
      } else step(by);
    },
    [step],
  );

  const toPrompt = useCallback(
    async (by: 1 | -1) => {
      const { session, leafUid, view, tabStop } = newest.current;
      const turn = ++search.current;
      let index = tabStop + by;
      for (let pages = 0; pages < mostPages; pages++) {
        if (index < 0 || index >= view.column.length) return;
        const page = Math.floor(index / pageSize);
        const { messages } = await client.ensureQueryData(pageQuery(session.id, leafUid, page));
        if (turn !== search.current) return;
        for (; Math.floor(index / pageSize) === page; index += by) {
          const message = messages[index - page * pageSize];
          if (!message) break;
          if (message.role === "user" && message.kind === "message" && !message.hidden)
            return moveTo(index, "start");
        }
        if (index === page * pageSize + messages.length && by > 0 && messages.length < pageSize)
          return;
      }
    },
    [client, moveTo],
  );

  const current = useCallback((): MessageView | undefined => {
    const { path, tabStop } = newest.current;
    return path.row(tabStop)?.message;
  }, []);

  /** The alternative before or after that of the current message, else of the first one on screen that has any. */
  const stepSibling = useCallback((by: 1 | -1) => {
    const { path, view, tabStop, actions } = newest.current;
    const candidates = [tabStop];
    for (let index = view.range.top; index <= view.range.last; index++) candidates.push(index);
    for (const index of candidates) {
      const message = path.row(index)?.message;
      if (message && !message.hidden && message.siblings > 1)
        return actions.stepSibling(message, by);
    }
  }, []);

  const toggleRow = useCallback(() => {
    const { path, folds, tabStop } = newest.current;
    const row = path.row(tabStop);
    if (!row) return;
    const names = foldNames(row);
    const open = !names.every((name) => folds.isOpen(name));
    for (const name of names) folds.set(name, open);
  }, []);

  function press(event: KeyboardEvent): boolean {
    const { actions, folds, view, onRename } = newest.current;
    const message = current();
    const target = event.target as HTMLElement;
    if (event.altKey) {
      if (event.key === "ArrowUp") stepSibling(-1);
      else if (event.key === "ArrowDown") stepSibling(1);
      else return false;
      return true;
    }
    // In a box that scrolls by itself these are the box's.
    const inBox = target.closest("[tabindex='0']:not(article), pre, select") !== null;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (inBox) return false;
        arrow(event.key === "ArrowDown" ? 1 : -1);
        return true;
      case "Home":
      case "End":
        if (inBox) return false;
        if (event.key === "Home") moveTo(0, "start");
        else moveTo(view.column.length - 1, "end");
        return true;
      case "Enter":
        if (target.tagName !== "ARTICLE") return false;
        toggleRow();
        return true;
      case "j":
      case "k":
        step(event.key === "j" ? 1 : -1);
        return true;
      case "J":
      case "K":
        void toPrompt(event.key === "J" ? 1 : -1).catch(() => {});
        return true;
      case "o":
        folds.setAll(!folds.allOpen);
        return true;
      case "F2":
        onRename();
        return true;
    }
    if (!message) return false;
    switch (event.key) {
      case "b":
        actions.branchFrom(message);
        return true;
      case "q":
      case "Q":
        actions.quote(message, event.key === "Q" ? "here" : "branch");
        return true;
      case "e":
        if (canEdit(message)) actions.edit(message);
        return true;
      case "r":
      case "R":
        if (canRegenerate(message)) actions.regenerate(message, event.key === "R");
        return true;
      case "c":
        actions.copyMarkdown(message);
        return true;
      case "u":
        actions.copyUid(message);
        return true;
      case "l":
        actions.editLabel(message);
        return true;
      case "t":
        actions.showInTree(message);
        return true;
    }
    return false;
  }

  return {
    moveTo,
    stepSibling,
    current,
    onKeyDown: (event: KeyboardEvent) => {
      // Menus hang on the rows that opened them, but are elsewhere on the page.
      if (!event.currentTarget.contains(event.target as Node)) return;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
      if (event.nativeEvent.isComposing || isTextField(event.target)) return;
      newest.current.view.release();
      if (press(event)) event.preventDefault();
    },
    onFocus: (event: FocusEvent) => {
      const { scroller, setCurrent, tabStop } = newest.current;
      if (event.target === scroller.current) {
        if (event.relatedTarget !== null) setMoved({ index: tabStop });
        return;
      }
      const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]");
      if (row) setCurrent(Number(row.dataset.row));
    },
  };
}
