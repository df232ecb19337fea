import { useVirtualizer } from "@tanstack/react-virtual";
import clsx from "clsx";
import { WrapText } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { ProgressBar } from "@/components/feedback/progress-bar";
import { CopyButton } from "@/components/form/copy-button";
import { IconButton } from "@/components/form/icon-button";
import { FullWindow } from "@/components/overlay/full-window";
import { blobURL } from "@/lib/api/api";
import { formatBytes, formatCount, formatPlural } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { InlineError } from "./inline-error";
import { mostLines, type ReadText, readText, splitLines } from "./lines";

interface FullTextProps {
  title: string;
  /** Where the text is; empty: it is in `text`. */
  blob: string;
  text?: string;
  sizeBytes: number;
  onClose: () => void;
}

/** A long text over the whole window, of which only the lines on screen are drawn. */
export function FullText({ title, blob, text, sizeBytes, onClose }: FullTextProps) {
  const [wrap, setWrap] = useState(false);
  const { read, error, bytes, retry } = useText(blob, text);
  const lines = useMemo(() => (read ? splitLines(read.text) : []), [read]);
  const cut = read?.cut || lines.length >= mostLines;
  return (
    <FullWindow
      title={title}
      facts={
        <>
          {read && formatPlural(lines.length, "line")}
          {cut &&
            t(", the beginning of {{size}}: export the session for the rest", {
              size: formatBytes(sizeBytes),
            })}
        </>
      }
      actions={
        <>
          <IconButton
            icon={WrapText}
            label={wrap ? t("Do not wrap lines") : t("Wrap lines")}
            onClick={() => setWrap(!wrap)}
          />
          {read && <CopyButton text={read.text} />}
        </>
      }
      onClose={onClose}
    >
      {error ? (
        <div className="p-4">
          <InlineError title={t("Could not load the text")} error={error} onRetry={retry} />
        </div>
      ) : read ? (
        <Lines lines={lines} wrap={wrap} label={title} />
      ) : (
        <div className="max-w-80 animate-late p-4">
          <p className="mb-2 text-text-2">
            {t("Reading {{bytes}} of {{total}}", {
              bytes: formatBytes(bytes),
              total: formatBytes(sizeBytes),
            })}
          </p>
          <ProgressBar label={t("Reading")} value={sizeBytes > 0 ? bytes / sizeBytes : undefined} />
        </div>
      )}
    </FullWindow>
  );
}

const lineHeight = 20;

function Lines({ lines, wrap, label }: { lines: string[]; wrap: boolean; label: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 30,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights where lines wrap or not
  useEffect(() => rows.measure(), [wrap, rows]);
  // So that the keys scroll it.
  useEffect(() => scroller.current?.focus(), []);
  const shown = rows.getVirtualItems();
  const digits = formatCount(lines.length).length;
  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
      tabIndex={0}
      className="selectable min-h-0 flex-1 overflow-auto bg-sunken font-mono leading-5 outline-offset-[-2px]"
    >
      <div className="relative min-w-full" style={{ height: rows.getTotalSize() }}>
        <div
          className={clsx("absolute top-0 start-0", wrap ? "w-full" : "w-max min-w-full")}
          style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}
        >
          {shown.map(({ index }) => (
            <div
              key={index}
              data-index={index}
              ref={wrap ? rows.measureElement : undefined}
              className="flex min-h-5"
            >
              <span
                aria-hidden="true"
                className="sticky start-0 shrink-0 bg-sunken pe-3 ps-4 text-end text-text-3 select-none"
                style={{ width: `calc(${digits}ch + 28px)` }}
              >
                {index + 1}
              </span>
              <span
                dir="auto"
                className={clsx(
                  "pe-4 [tab-size:4]",
                  wrap
                    ? "min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]"
                    : "whitespace-pre",
                )}
              >
                {lines[index]}
              </span>
            </div>
          ))}
        </div>
      </div>
    </section>
  );
}

function useText(blob: string, text: string | undefined) {
  const [read, setRead] = useState<ReadText | undefined>(
    text === undefined ? undefined : { text, cut: false },
  );
  const [error, setError] = useState<unknown>();
  const [bytes, setBytes] = useState(0);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    if (text !== undefined) return;
    const abort = new AbortController();
    setError(undefined);
    readText(blobURL(blob), abort.signal, setBytes).then(
      (whole) => setRead(whole),
      (reason: unknown) => {
        if (!abort.signal.aborted) setError(reason);
      },
    );
    return () => abort.abort();
  }, [blob, text, attempt]);
  return { read, error, bytes, retry: () => setAttempt(attempt + 1) };
}
