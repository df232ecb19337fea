import { FullWindow } from "@/components/overlay/full-window";
import { type Block, blobURL } from "@/lib/api/api";
import { formatBytes } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";

interface LightboxProps {
  block: Block;
  name: string;
  onClose: () => void;
}

/** An image as large as the window allows; a click closes it too. */
export function Lightbox({ block, name, onClose }: LightboxProps) {
  const facts = [
    block.width > 0 && `${block.width} × ${block.height}`,
    block.sizeBytes > 0 && formatBytes(block.sizeBytes),
  ];
  return (
    <FullWindow title={name} facts={facts.filter(Boolean).join(" · ")} onClose={onClose}>
      <button
        type="button"
        aria-label={t("Close")}
        className="min-h-0 flex-1 cursor-zoom-out p-4"
        onClick={onClose}
      >
        <img src={blobURL(block.blob)} alt={name} className="mx-auto size-full object-scale-down" />
      </button>
    </FullWindow>
  );
}
