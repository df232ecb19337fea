import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { onFileDrop } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** Shows that files dragged over the window can be dropped, and hands on what was. */
export function DropOverlay({ onDrop }: { onDrop: (paths: string[]) => void }) {
  const [over, setOver] = useState(false);
  useEffect(
    () =>
      onFileDrop((paths) => {
        setOver(false);
        // What is dropped may be the address of something that is no file.
        const files = paths.filter((path) => path !== "");
        if (files.length > 0) onDrop(files);
        return true;
      }),
    [onDrop],
  );
  useEffect(() => watchDrags(setOver), []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-2 z-50 flex animate-appear flex-col items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-[color-mix(in_srgb,var(--bg)_95%,transparent)]">
      <Download size={24} className="text-accent" aria-hidden="true" />
      <p className="text-xl font-semibold">{t("Drop to import")}</p>
      <p className="text-text-2">{t("Session files and folders, or Coppice's own JSON")}</p>
    </div>
  );
}

/**
 * Reports whether files from outside are over the window, and keeps the engine from opening in the
 * place of the page what is dropped. Returns the way to stop.
 */
function watchDrags(setOver: (over: boolean) => void): () => void {
  // A drag that begins in the page, of a link or a selection, is none of ours.
  let isInner = false;
  // Engines report the element that is entered before the one that is left, and some do not report the target.
  let entered: EventTarget | null = null;
  const isOuter = ({ dataTransfer }: DragEvent) =>
    // WebKitGTK calls files by their addresses.
    !isInner && dataTransfer?.types.some((type) => type === "Files" || type === "text/uri-list");
  const listeners: Partial<Record<keyof WindowEventMap, (event: DragEvent) => void>> = {
    dragstart: () => {
      isInner = true;
    },
    dragend: () => {
      isInner = false;
    },
    dragenter: (event) => {
      if (!isOuter(event)) return;
      event.preventDefault();
      entered = event.target;
      setOver(true);
    },
    dragover: (event) => {
      if (isOuter(event)) event.preventDefault();
    },
    dragleave: (event) => {
      if (event.target === entered) setOver(false);
    },
    drop: (event) => {
      if (isOuter(event)) event.preventDefault();
      isInner = false;
      setOver(false);
    },
  };
  const entries = Object.entries(listeners) as [string, EventListener][];
  for (const [name, listener] of entries) window.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of entries) window.removeEventListener(name, listener);
  };
}
