import clsx from "clsx";
import type { RefObject } from "react";
import { Button } from "@/components/form/button";
import { Shown } from "@/components/text/shown";
import { plural, t } from "@/lib/i18n/i18n";
import type { PreviewLine } from "./diff-lines";

interface PreviewProps {
  lines: readonly PreviewLine[];
  /** How many of the lines are on screen. */
  shown: number;
  /** Takes the focus once all lines are on screen, so that keys scroll it. */
  well: RefObject<HTMLPreElement | null>;
  onShowAll: () => void;
}

/** What a call would do, to the last character: a diff with its lines marked, or a command. */
export function Preview({ lines, shown, well, onShowAll }: PreviewProps) {
  if (lines.length === 0) return null;
  return (
    <>
      <pre
        ref={well}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
        tabIndex={0}
        className="selectable max-h-[min(320px,35vh)] overflow-auto rounded border border-border bg-sunken py-1.5 font-mono text-base leading-5"
      >
        {lines.slice(0, shown).map(({ kind, text }, at) => (
          <span
            // The lines of a preview do not move.
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
            key={at}
            // Wrapped, so that nothing is hidden at the right.
            className={clsx(
              "block min-h-5 px-3 whitespace-pre-wrap [overflow-wrap:anywhere]",
              looks[kind],
            )}
          >
            <Shown text={text} />
          </span>
        ))}
      </pre>
      {shown < lines.length && (
        <p className="mt-1.5 flex flex-wrap items-center gap-2 text-warn">
          {plural(
            lines.length - shown,
            "{{count}} more line. Read all of them before you allow this.",
            "{{count}} more lines. Read all of them before you allow this.",
          )}
          <Button data-autofocus="" onClick={onShowAll}>
            {t("Show all")}
          </Button>
        </p>
      )}
    </>
  );
}

const looks = {
  add: "bg-diff-add",
  del: "bg-diff-del",
  file: "font-semibold text-text-2",
  hunk: "text-text-3",
  same: "",
};
