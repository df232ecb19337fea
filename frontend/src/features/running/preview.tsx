import clsx from "clsx";
import { useMemo, useState } from "react";
import { Button } from "@/components/button";
import { Shown } from "@/components/shown";
import { formatCount } from "@/lib/format";
import { readPreview } from "./diff-lines";

/** So many lines are drawn without being asked for. */
const firstLines = 500;

/** What a call would do, to the last character: a diff with its lines marked, or a command. */
export function Preview({ text, toolName }: { text: string; toolName: string }) {
  const lines = useMemo(() => readPreview(text, toolName), [text, toolName]);
  const [all, setAll] = useState(false);
  if (text.trim() === "") return null;
  const shown = all ? lines : lines.slice(0, firstLines);
  return (
    <>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
        tabIndex={0}
        className="selectable max-h-[min(320px,35vh)] overflow-auto rounded border border-border bg-sunken py-1.5 font-mono text-base leading-5 [tab-size:4]"
      >
        {shown.map(({ kind, text }, at) => (
          <span
            // The lines of a preview do not move.
            // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
            key={at}
            // Wrapped: what stands far to the right would not be seen.
            className={clsx(
              "block min-h-5 px-3 whitespace-pre-wrap [overflow-wrap:anywhere]",
              looks[kind],
            )}
          >
            <Shown text={text} />
          </span>
        ))}
      </pre>
      {shown.length < lines.length && (
        <p className="mt-1.5 flex items-center gap-2 text-sm text-warn">
          {formatCount(lines.length - shown.length)} more lines are not shown
          <Button onClick={() => setAll(true)}>Show all</Button>
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
