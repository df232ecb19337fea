import { ArrowDown } from "lucide-react";

/** Brings who reads elsewhere to what is being written, or was written since. */
export function JumpToEnd({ label, onJump }: { label: string; onJump: () => void }) {
  return (
    <div className="relative z-10 h-0">
      <button
        type="button"
        onClick={onJump}
        className="absolute bottom-3 left-1/2 flex h-7 -translate-x-1/2 animate-appear items-center gap-1.5 rounded-full border border-border bg-surface px-3 text-text-2 shadow-float hover:text-text"
      >
        <ArrowDown size={14} aria-hidden="true" />
        {label}
      </button>
    </div>
  );
}
