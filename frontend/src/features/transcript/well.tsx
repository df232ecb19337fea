import clsx from "clsx";
import { Check, Copy, Maximize2, WrapText } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { IconButton } from "@/components/icon-button";
import { toastError } from "@/components/toast";
import { writeClipboard } from "@/lib/clipboard";
import { formatBytes, formatPlural } from "@/lib/format";
import { FullText } from "./full-text";

interface WellProps {
  /** What it holds: "Result", an argument's name. */
  label: string;
  /** The text, or its beginning. */
  text: string;
  /** The text with colours, made by Go; in the place of the text. */
  html?: string;
  /** Of the whole text; 0 where the text is the whole. */
  lines?: number;
  sizeBytes?: number;
  /** Holds the whole, where the text is only its beginning. */
  blob?: string;
  /** What came out of a failed call. */
  failed?: boolean;
}

const small = "!size-[22px]";

/** A text in a well of its own, with its length, that wraps, copies and opens full. */
export function Well({
  label,
  text,
  html = "",
  lines = 0,
  sizeBytes = 0,
  blob = "",
  failed,
}: WellProps) {
  const [wrap, setWrap] = useState(true);
  const [full, setFull] = useState(false);
  const cut = blob !== "";
  const lineCount = lines || (text === "" ? 0 : text.replace(/\n$/, "").split("\n").length);
  const long = lineCount > 16 || cut;
  const look = clsx(
    "selectable max-h-80 overflow-auto px-3 pb-2 font-mono text-base leading-5 outline-offset-[-2px]",
    wrap ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre",
    "[tab-size:4]",
    failed && "text-error",
  );
  return (
    <figure
      aria-label={label}
      className="my-1 min-w-0 overflow-hidden rounded border border-border bg-sunken"
    >
      <header className="flex h-7 items-center gap-2 pr-1 pl-3 text-sm text-text-3">
        <span className="min-w-0 truncate" title={label}>
          {label}
        </span>
        <span className="flex-1" />
        <span className="shrink-0">
          {lineCount > 1 && formatPlural(lineCount, "line")}
          {cut && ` · ${formatBytes(sizeBytes)}`}
        </span>
        <IconButton
          icon={WrapText}
          label={wrap ? "Do not wrap lines" : "Wrap lines"}
          className={small}
          onClick={() => setWrap(!wrap)}
        />
        <WellCopy text={text} cut={cut} />
        {long && (
          <IconButton
            icon={Maximize2}
            label={cut ? `Open all ${formatBytes(sizeBytes)}` : "Open full"}
            className={small}
            onClick={() => setFull(true)}
          />
        )}
      </header>
      <Text look={look} text={text} html={html} />
      {cut && (
        <p className="border-t border-border px-3 py-1 text-sm text-text-3">
          This is the beginning.{" "}
          <button type="button" className="text-accent underline" onClick={() => setFull(true)}>
            Open all {formatBytes(sizeBytes)}
          </button>
        </p>
      )}
      {full && (
        <FullText
          title={label}
          blob={blob}
          text={cut ? undefined : text}
          sizeBytes={sizeBytes}
          onClose={() => setFull(false)}
        />
      )}
    </figure>
  );
}

interface TextProps {
  look: string;
  text: string;
  html: string;
}

function Text({ look, text, html }: TextProps): ReactNode {
  const ways = html === "" ? { children: text } : { dangerouslySetInnerHTML: { __html: html } };
  // backend/render has highlighted and escaped the HTML.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
  return <pre tabIndex={0} dir={html === "" ? "auto" : "ltr"} className={look} {...ways} />;
}

function WellCopy({ text, cut }: { text: string; cut: boolean }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? "Copied" : cut ? "Copy what is shown" : "Copy"}
      className={small}
      onClick={async () => {
        if (await writeClipboard(text)) setCopied(true);
        else toastError("It could not be copied", "the window does not allow it");
      }}
    />
  );
}
