import { chordLabels } from "@/lib/keys/keys";

/** A chord as keys: Ctrl K. */
export function Kbd({ chord }: { chord: string }) {
  return (
    <span className="inline-flex shrink-0 gap-0.5" aria-hidden="true">
      {chordLabels(chord).map((key) => (
        <kbd
          key={key}
          className="rounded-sm border border-border bg-sunken px-1 font-mono text-xs leading-[15px] text-text-3"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
