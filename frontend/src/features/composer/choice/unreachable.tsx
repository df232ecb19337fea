import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { ProviderState } from "@/lib/api/api";
import { fromGo } from "@/lib/i18n/from-go";
import { plural, t } from "@/lib/i18n/i18n";

interface UnreachableProps {
  problems: readonly ProviderState[];
  /** Shown without a click: there is nothing else to show. */
  open: boolean;
}

/** Why providers are missing from the list, and what to do about it. */
export function Unreachable({ problems, open: initially }: UnreachableProps) {
  const [chosen, setChosen] = useState<boolean>();
  const open = chosen ?? initially;
  if (problems.length === 0) return null;
  return (
    <section
      className="mt-1 border-t border-border pt-1"
      aria-label={t("Providers without models")}
    >
      <button
        type="button"
        aria-expanded={open}
        className="flex h-7 w-full items-center gap-2 rounded px-2 text-start text-sm text-text-3 hover:bg-sunken"
        onClick={() => setChosen(!open)}
      >
        <ChevronRight size={12} className={open ? "rotate-90" : ""} aria-hidden="true" />
        {plural(
          problems.length,
          "{{count}} provider is not available now",
          "{{count}} providers are not available now",
        )}
      </button>
      {open && (
        <dl className="px-2 pb-2 text-sm">
          {problems.map(({ provider, message, hint }) => (
            <div key={provider} className="grid grid-cols-[96px_1fr] gap-x-3 py-1">
              <dt className="truncate text-text-2" title={provider}>
                {provider}
              </dt>
              <dd className="selectable min-w-0">
                {hint && (
                  <span className="block text-text-2 [overflow-wrap:anywhere]">{fromGo(hint)}</span>
                )}
                <span
                  className={hint ? "block truncate text-text-3" : "text-text-3"}
                  title={message}
                >
                  {message}
                </span>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
