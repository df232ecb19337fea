import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { IconButton } from "@/components/form/icon-button";
import { t } from "@/lib/i18n/i18n";
import { Scrim } from "./scrim";

interface FullWindowProps {
  title: string;
  /** A detail beside the title. */
  facts: ReactNode;
  /** Buttons before the cross. */
  actions?: ReactNode;
  children: ReactNode;
  onClose: () => void;
}

/** A view that covers the whole window. Esc and the cross close it. */
export function FullWindow({ title, facts, actions, children, onClose }: FullWindowProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Scrim />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // A focused button would show its tooltip, and Esc would close that instead.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className="fixed inset-6 z-40 flex animate-appear flex-col overflow-hidden rounded-lg border border-border bg-surface shadow-float outline-none"
        >
          <header className="flex h-11 shrink-0 items-center gap-3 border-b border-border pe-2 ps-4">
            <Dialog.Title className="min-w-0 truncate font-semibold" title={title}>
              {title}
            </Dialog.Title>
            <span className="min-w-0 truncate text-sm text-text-3">{facts}</span>
            <span className="flex-1" />
            {actions}
            <IconButton icon={X} label={t("Close")} keys="Escape" onClick={onClose} />
          </header>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
