import { X } from "lucide-react";
import type { Upload } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { imageAddress } from "./images";

interface ThumbnailsProps {
  images: readonly Upload[];
  onRemove: (at: number) => void;
}

/** The images that are sent with the message. */
export function Thumbnails({ images, onRemove }: ThumbnailsProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label={t("Images")} className="flex flex-wrap gap-2 px-3 pt-3">
      {images.map((image, at) => (
        // The same image may be there twice.
        // biome-ignore lint/suspicious/noArrayIndexKey: an image keeps its place
        <li key={at} className="group relative">
          <img
            src={imageAddress(image)}
            alt={image.name}
            title={image.name}
            className="size-14 rounded border border-border object-cover"
          />
          <button
            type="button"
            aria-label={t("Remove {{name}}", { name: image.name })}
            onClick={() => onRemove(at)}
            className="absolute -top-1.5 -end-1.5 inline-flex size-[18px] items-center justify-center rounded-full border border-border bg-surface text-text-2 shadow-float hover:text-text"
          >
            <X size={12} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}
