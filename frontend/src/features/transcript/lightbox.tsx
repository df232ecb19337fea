import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { IconButton } from "@/components/icon-button";
import { type Block, blobURL } from "@/lib/api";
import { formatBytes } from "@/lib/format";

interface LightboxProps {
  block: Block;
  name: string;
  onClose: () => void;
}

/** An image as large as the window allows; a click or Esc closes it. */
export function Lightbox({ block, name, onClose }: LightboxProps) {
  const facts = [
    block.width > 0 && `${block.width} × ${block.height}`,
    block.sizeBytes > 0 && formatBytes(block.sizeBytes),
  ];
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[rgb(0_0_0/60%)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            // A focused button would show its tooltip, and Esc would close that instead.
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          className="fixed inset-6 z-40 flex animate-appear flex-col overflow-hidden rounded-lg border border-border bg-surface shadow-float outline-none"
        >
          <header className="flex h-11 items-center gap-3 border-b border-border pr-2 pl-4">
            <Dialog.Title className="min-w-0 truncate font-semibold" title={name}>
              {name}
            </Dialog.Title>
            <span className="shrink-0 text-sm text-text-3">
              {facts.filter(Boolean).join(" · ")}
            </span>
            <span className="flex-1" />
            <IconButton icon={X} label="Close" keys="Escape" onClick={onClose} />
          </header>
          <button
            type="button"
            aria-label="Close"
            className="min-h-0 flex-1 cursor-zoom-out p-4"
            onClick={onClose}
          >
            <img
              src={blobURL(block.blob)}
              alt={name}
              className="mx-auto size-full object-scale-down"
            />
          </button>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
