import { labelColor } from "@/lib/format/color";

/** A tag of a session, in the color that the user gave it. */
export function TagChip({ tag, color }: { tag: string; color: string | undefined }) {
  return (
    <span
      className="max-w-28 truncate rounded-full border border-border px-1.5 text-xs leading-[14px] text-text-2"
      style={color ? { borderColor: labelColor(color), color: labelColor(color) } : undefined}
    >
      {tag}
    </span>
  );
}
