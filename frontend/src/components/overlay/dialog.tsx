import clsx from "clsx";
import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import { Scrim } from "./scrim";

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** A sentence under the title. */
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, the primary one last. */
  footer?: ReactNode;
  /** 440 px wide, or 640 px if set. */
  wide?: boolean;
  /** The dialog has only text, so it takes the focus itself: keys scroll it. */
  toRead?: boolean;
}

/** A dialog, for decisions only. Esc and the cross close it, and the focus returns to where it was. */
export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  wide,
  toRead,
}: DialogProps) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);
  // Before the effect below moves the focus.
  useLayoutEffect(() => {
    if (open) before.current = document.activeElement;
  }, [open]);
  // A dialog that asks a new question may have removed the focused button.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title says that it asks something else
  useLayoutEffect(() => {
    const { activeElement } = document;
    if (
      !content.current ||
      (activeElement &&
        activeElement !== content.current &&
        content.current.contains(activeElement))
    )
      return;
    focusOn(content.current);
  }, [title]);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Scrim />
        <Radix.Content
          ref={content}
          // Not on the cross: the keys are for the dialog's question.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focusOn(event.currentTarget as HTMLElement);
          }}
          // Without a trigger Radix leaves the focus on the body.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const { activeElement, body } = document;
            if ((activeElement ?? body) === body) (before.current as HTMLElement | null)?.focus();
          }}
          {...(description === undefined && { "aria-describedby": undefined })}
          className={clsx(
            "fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100%-32px)] w-full -translate-x-1/2 -translate-y-1/2 animate-appear flex-col rounded-lg border border-border bg-surface shadow-float outline-none",
            wide ? "max-w-[min(640px,calc(100%-32px))]" : "max-w-[min(440px,calc(100%-32px))]",
          )}
        >
          <header className="flex items-start gap-2 px-5 pt-4 pb-1">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-xl font-semibold">{title}</Radix.Title>
              {description !== undefined && (
                <Radix.Description className="mt-1 text-text-2">{description}</Radix.Description>
              )}
            </div>
            <IconButton
              icon={X}
              label={t("Close")}
              keys="Escape"
              onClick={onClose}
              className="-me-2"
            />
          </header>
          <div
            {...(toRead && { tabIndex: 0, "data-autofocus": "" })}
            className="min-h-0 flex-1 overflow-y-auto px-5 py-3 -outline-offset-2"
          >
            {children}
          </div>
          {footer && (
            <footer className="flex items-center justify-end gap-2 border-t border-border px-5 py-3">
              {footer}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Focuses the preferred button, or else the dialog itself. A disabled button takes no focus: the keys would go to what is behind. */
function focusOn(content: HTMLElement): void {
  (content.querySelector<HTMLElement>("[data-autofocus]:not(:disabled)") ?? content).focus();
}
