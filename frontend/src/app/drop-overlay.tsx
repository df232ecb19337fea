import { Download } from "lucide-react";
import { useEffect, useState } from "react";
import { onFileDrop } from "@/lib/api";

/** Shows that files dragged over the window can be dropped, and hands on what was. */
export function DropOverlay({ onDrop }: { onDrop: (paths: string[]) => void }) {
  const [over, setOver] = useState(false);
  useEffect(
    () =>
      onFileDrop((paths) => {
        setOver(false);
        if (paths.length > 0) onDrop(paths);
        return true;
      }),
    [onDrop],
  );
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // No related target: the pointer has left the window.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragover", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragover", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-2 z-50 flex animate-appear flex-col items-center justify-center gap-2 rounded-lg border-2 border-dashed border-accent bg-[color-mix(in_srgb,var(--bg)_88%,transparent)]">
      <Download size={24} className="text-accent" aria-hidden="true" />
      <p className="text-xl font-semibold">Drop to import</p>
      <p className="text-text-2">Session files and folders, or Coppice's own JSON</p>
    </div>
  );
}
