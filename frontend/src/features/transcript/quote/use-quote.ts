import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { api, type MessageView, type Session } from "@/lib/api/api";
import { quoteOf } from "@/lib/format/quote";
import { t } from "@/lib/i18n/i18n";
import type { OnView } from "@/lib/session/location";
import { compose } from "@/lib/store/compose";
import type { Path } from "../path/use-path";
import { type Span, selectedSpan } from "./selected-span";

/** Where a quote goes: into a new prompt below the message, or into the draft. */
export type QuotePlace = "branch" | "here";

interface Scene {
  session: Session;
  path: Path;
  scroller: RefObject<HTMLElement | null>;
  onView: OnView;
}

/** Quotes what is selected in the transcript, or a whole message. */
export function useQuote(scene: Scene) {
  const newest = useRef(scene);
  newest.current = scene;
  const { span, recent, forget } = useSelectedSpan(scene.scroller);

  const put = useCallback(
    (text: string, messages: MessageView[], place: QuotePlace) => {
      const { session, onView } = newest.current;
      const last = messages.at(-1);
      if (text === "" || !last) return toastDone(t("There are no words to quote"));
      forget();
      const cites = messages.map(({ uid, turn }) => ({ uid, turn }));
      const { id: sessionId } = session;
      if (place === "here") return compose({ kind: "quote", sessionId, cites, text });
      onView({ leafUid: last.uid, focusUid: last.uid });
      compose({
        kind: "cite",
        act: "quote",
        sessionId,
        title: t("Quoting a passage"),
        fromUid: last.uid,
        cites: cites.map(({ uid }) => uid),
        text: `${text}\n\n`,
      });
    },
    [forget],
  );

  const quote = useCallback(
    (message: MessageView, place: QuotePlace) => {
      const { session, path } = newest.current;
      const of = recent();
      const messages = of ? messagesOf(path, of) : [];
      if (of && messages.some(({ uid }) => uid === message.uid))
        return put(quoteOf(of.text, of.isCode), messages, place);
      api
        .getPrompt(session.id, message.uid)
        .then(({ text }) => put(quoteOf(text), [message], place))
        .catch((error) => toastError(t("Could not quote the message"), error));
    },
    [put, recent],
  );
  const quoteSpan = useCallback(
    (place: QuotePlace) => {
      if (span) put(quoteOf(span.text, span.isCode), messagesOf(newest.current.path, span), place);
    },
    [put, span],
  );
  return { span, quote, quoteSpan };
}

/** The messages that a span is of, but for those that are shown elsewhere, such as results. */
function messagesOf(path: Path, { first, last }: Span): MessageView[] {
  const messages = [];
  for (let index = first; index <= last; index++) {
    const row = path.row(index);
    if (row && !row.absent) messages.push(row.message);
  }
  return messages;
}

/** What is selected while no button of the pointer is held. */
function useSelectedSpan(scroller: RefObject<HTMLElement | null>) {
  const [span, setSpan] = useState<Span>();
  /** What was selected before the focus went elsewhere, such as to the palette. */
  const left = useRef<Span>(undefined);
  const held = useRef(false);
  useEffect(() => {
    const read = () => {
      if (held.current || !scroller.current) return;
      const isInside = scroller.current.contains(window.getSelection()?.anchorNode ?? null);
      const next = selectedSpan(scroller.current);
      setSpan((now) => {
        if (next || isInside) left.current = next;
        else if (now) left.current = now;
        return next;
      });
    };
    const press = (event: PointerEvent) => {
      if (event.button !== 0) return;
      held.current = true;
      // What begins a new selection is no longer about the old one.
      if (scroller.current?.contains(event.target as Node)) setSpan(undefined);
    };
    const release = () => {
      held.current = false;
      // The selection changes after the button is up.
      setTimeout(read);
    };
    document.addEventListener("selectionchange", read);
    document.addEventListener("pointerdown", press);
    document.addEventListener("pointerup", release);
    document.addEventListener("pointercancel", release);
    return () => {
      document.removeEventListener("selectionchange", read);
      document.removeEventListener("pointerdown", press);
      document.removeEventListener("pointerup", release);
      document.removeEventListener("pointercancel", release);
    };
  }, [scroller]);
  return {
    span,
    recent: useCallback(() => left.current, []),
    forget: useCallback(() => {
      left.current = undefined;
      setSpan(undefined);
    }, []),
  };
}
