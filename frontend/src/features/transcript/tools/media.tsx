import clsx from "clsx";
import { File, ImageOff } from "lucide-react";
import { useState } from "react";
import { type Block, blobURL } from "@/lib/api/api";
import { formatBytes } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { Lightbox } from "./lightbox";

/** An image takes no more room than this before it is opened. */
const most = { width: 560, height: 320 };

/** An image of a message, in a place of its size before it comes; any other file as a line. */
export function Media({ block }: { block: Block }) {
  const [open, setOpen] = useState(false);
  const [broken, setBroken] = useState(false);
  const image = block.mimeType.startsWith("image/") && block.blob !== "";
  const name = block.name || (image ? t("Image") : block.mimeType || t("File"));
  if (!image || broken) return <FileLine block={block} name={name} broken={broken} />;
  const size = roomFor(block.width, block.height);
  return (
    <div className="my-2">
      <button
        type="button"
        aria-label={t("{{name}}: show larger", { name })}
        title={`${name} · ${formatBytes(block.sizeBytes)}`}
        className="block max-w-full overflow-hidden rounded border border-border bg-sunken"
        style={{ width: size.width, aspectRatio: `${size.width} / ${size.height}` }}
        onClick={() => setOpen(true)}
      >
        <img
          src={blobURL(block.blob)}
          alt={name}
          width={size.width}
          height={size.height}
          decoding="async"
          className="size-full object-contain"
          onError={() => setBroken(true)}
        />
      </button>
      {open && <Lightbox block={block} name={name} onClose={() => setOpen(false)} />}
    </div>
  );
}

function FileLine({ block, name, broken }: { block: Block; name: string; broken: boolean }) {
  const Icon = broken ? ImageOff : File;
  return (
    <p className="my-1 flex min-h-7 max-w-full items-center gap-2 text-text-2">
      <Icon size={16} className="text-text-3" aria-hidden="true" />
      <span className="min-w-0 truncate" title={name}>
        {name}
      </span>
      <span className="shrink-0 text-sm text-text-3">
        {[block.mimeType, block.sizeBytes > 0 && formatBytes(block.sizeBytes)]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {broken && <span className="text-sm text-error">{t("cannot be shown")}</span>}
      {block.text !== "" && <Elsewhere uri={block.text} />}
    </p>
  );
}

/** What is not in the library is at an address; a tool's own number leads nowhere. */
function Elsewhere({ uri }: { uri: string }) {
  const isAddress = /^(https?:|file:|[/~]|[a-z]:\\)/i.test(uri);
  return (
    <span
      className={clsx("min-w-0 truncate text-sm text-text-3", isAddress && "selectable font-mono")}
      title={uri}
    >
      {isAddress ? uri : t("not included in the session")}
    </span>
  );
}

/** The size on the page; the whole room where it is not known, so that nothing moves when it comes. */
function roomFor(width: number, height: number): { width: number; height: number } {
  if (width <= 0 || height <= 0) return { width: 320, height: 240 };
  const scale = Math.min(1, most.width / width, most.height / height);
  return { width: Math.round(width * scale), height: Math.round(height * scale) };
}
