import clsx from "clsx";
import { Check, Copy, Maximize2, WrapText } from "lucide-react";
import { type ReactNode, useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { useCopied } from "@/lib/browser/use-copied";
import { formatBytes, formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { FullText } from "./full-text";

/** What a text does not show: nothing, its rest, or what the model was not given either. */
type Missing = "nothing" | "rest" | "unseen";

/** What of Go's text is missing. */
export function missingOf({ cut, shown = false }: { cut: boolean; shown?: boolean }): Missing {
  if (cut) return "rest";
  return shown ? "unseen" : "nothing";
}

interface WellProps {
  /** What it holds: "Result", an argument's name. */
  label: string;
  text: string;
  /** The text with colors, made by Go; in the place of the text. */
  html?: string;
  /** Of the whole text; 0 where the text is the whole. */
  lines?: number;
  sizeBytes?: number;
  missing?: Missing;
  /** Holds the whole, where the text is not that. */
  blob?: string;
  /** What came out of a failed call. */
  failed?: boolean;
}

const small = "!size-[22px]";

/** A longer text is folded to as many lines. */
const foldLines = 16;
/** A text of more characters is folded too: its lines wrap. */
const foldChars = 1600;

function linesOf(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

/** A text in a well of its own, with its length, that wraps, copies and opens full. A long one opens in place. */
export function Well({
  label,
  text,
  html = "",
  lines = 0,
  sizeBytes = 0,
  missing = "nothing",
  blob = "",
  failed,
}: WellProps) {
  const [wrap, setWrap] = useState(true);
  const [full, setFull] = useState(false);
  const more = missing !== "nothing" && blob !== "";
  const lineCount = lines || linesOf(text);
  const long = lineCount > foldLines || more;
  const [whole, setWhole] = useState(false);
  const here = linesOf(text);
  const folded = !whole && (here > foldLines || text.length > foldChars);
  const look = clsx(
    "selectable px-3 pb-2 font-mono text-base leading-5 outline-offset-[-2px]",
    folded ? "max-h-80 overflow-hidden" : "overflow-x-auto",
    wrap ? "whitespace-pre-wrap [overflow-wrap:anywhere]" : "whitespace-pre",
    "[tab-size:4]",
    failed && "text-error",
  );
  return (
    <figure
      aria-label={label}
      className="my-1 min-w-0 overflow-hidden rounded border border-border bg-sunken"
    >
      <header className="flex h-7 items-center gap-2 pe-1 ps-3 text-sm text-text-3">
        <span className="min-w-0 truncate" title={label}>
          {label}
        </span>
        <span className="flex-1" />
        <span className="shrink-0">
          {lineCount > 1 && formatPlural(lineCount, "line")}
          {more && ` · ${formatBytes(sizeBytes)}`}
        </span>
        <IconButton
          icon={WrapText}
          label={wrap ? t("Do not wrap lines") : t("Wrap lines")}
          className={small}
          onClick={() => setWrap(!wrap)}
        />
        <WellCopy text={text} isWhole={missing === "nothing"} />
        {long && (
          <IconButton
            icon={Maximize2}
            label={more ? t("Show all {{size}}", { size: formatBytes(sizeBytes) }) : t("Open full")}
            className={small}
            onClick={() => setFull(true)}
          />
        )}
      </header>
      <Text look={look} label={label} text={text} html={html} />
      {folded && (
        <p className="border-t border-border px-1 py-0.5">
          <Button variant="quiet" onClick={() => setWhole(true)}>
            {missing === "nothing"
              ? plural(here, "Show all {{count}} line", "Show all {{count}} lines")
              : plural(here, "Show {{count}} line", "Show {{count}} lines")}
          </Button>
        </p>
      )}
      {missing !== "nothing" && (
        <p className="border-t border-border px-3 py-1 text-sm text-text-3">
          {missing === "unseen"
            ? plural(
                lineCount,
                "The model received this part of {{count}} line.",
                "The model received this part of {{count}} lines.",
              )
            : t("This is the first part.")}{" "}
          {more ? (
            <button type="button" className="text-accent underline" onClick={() => setFull(true)}>
              {t("Show all {{size}}", { size: formatBytes(sizeBytes) })}
            </button>
          ) : (
            t("Export the session for the rest.")
          )}
        </p>
      )}
      {full && (
        <FullText
          title={label}
          blob={blob}
          text={more ? undefined : text}
          sizeBytes={sizeBytes}
          onClose={() => setFull(false)}
        />
      )}
    </figure>
  );
}

interface TextProps {
  label: string;
  look: string;
  text: string;
  html: string;
}

function Text({ look, label, text, html }: TextProps): ReactNode {
  const ways = html === "" ? { children: text } : { dangerouslySetInnerHTML: { __html: html } };
  // backend/render has highlighted and escaped the HTML.
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <pre
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
      tabIndex={0}
      dir={html === "" ? "auto" : "ltr"}
      className={look}
      {...ways}
    />
  );
}

function WellCopy({ text, isWhole }: { text: string; isWhole: boolean }) {
  const [copied, copy] = useCopied();
  return (
    <IconButton
      icon={copied ? Check : Copy}
      label={copied ? t("Copied") : isWhole ? t("Copy") : t("Copy what is shown")}
      className={small}
      onClick={async () => {
        if (!(await copy(text))) toastError(t("Could not copy"), t("the window does not allow it"));
      }}
    />
  );
}
