import { LoaderCircle } from "lucide-react";
import { t } from "@/lib/i18n/i18n";

/** Turns during a short operation; visible only after 150 ms. */
export function Spinner({ label = t("Loading") }: { label?: string }) {
  return (
    <span role="status" aria-label={label} className="inline-flex animate-late">
      <LoaderCircle size={16} className="animate-spin text-text-3" aria-hidden="true" />
    </span>
  );
}
