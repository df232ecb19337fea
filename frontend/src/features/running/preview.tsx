import clsx from "clsx";
import { isDiff, readDiff } from "./diff-lines";

/** What a call would do: a diff with its lines marked, or a command in a well. */
export function Preview({ text }: { text: string }) {
  if (text.trim() === "") return null;
  const look =
    "selectable max-h-[min(320px,35vh)] overflow-auto rounded border border-border bg-sunken py-1.5 font-mono text-base leading-5 [tab-size:4]";
  if (!isDiff(text))
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
      <pre tabIndex={0} className={clsx(look, "px-3 whitespace-pre-wrap [overflow-wrap:anywhere]")}>
        {text}
      </pre>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
    <pre tabIndex={0} className={look}>
      {readDiff(text).map(({ kind, text }, at) => (
        // The lines of a preview do not move.
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same
        <span key={at} className={clsx("block min-h-5 px-3 whitespace-pre", looks[kind])}>
          {text}
        </span>
      ))}
    </pre>
  );
}

const looks = {
  add: "bg-diff-add",
  del: "bg-diff-del",
  file: "font-semibold text-text-2",
  hunk: "text-text-3",
  same: "",
};
