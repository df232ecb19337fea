import { Info } from "lucide-react";

/** The last notices of the engine about a run. */
export function Notices({ notices }: { notices: readonly string[] }) {
  const shown = [...new Set(notices)].slice(-3);
  return shown.map((notice) => (
    <p key={notice} className="selectable flex gap-2 text-sm text-text-3">
      <Info size={14} className="mt-px shrink-0" aria-hidden="true" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{notice}</span>
    </p>
  ));
}
