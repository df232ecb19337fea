import clsx from "clsx";
import { Spinner } from "@/components/feedback/spinner";
import { Button } from "@/components/form/button";
import { Kbd } from "@/components/text/kbd";
import { t } from "@/lib/i18n/i18n";
import type { Hits } from "./use-hits";

/** The line under the results: the number of matching messages, or why none match, and the keys. */
export function PanelFoot({ hits }: { hits: Hits }) {
  const { note, hint, failed, waiting, stop, goOn } = hits;
  return (
    <footer className="flex min-h-9 shrink-0 items-center gap-3 border-t border-border px-4 py-1.5 text-sm text-text-3">
      <p
        role={failed ? "alert" : "status"}
        className={clsx("min-w-0 flex-1 [overflow-wrap:anywhere]", failed && "text-error")}
      >
        {note}
        {hint && <span className="block text-text-2">{hint}</span>}
      </p>
      {(waiting || stop) && <Spinner label={t("Searching")} />}
      {stop || goOn ? (
        // Enter here activates the button, not a hit in the list above.
        <Button
          onClick={stop ?? goOn}
          onKeyDown={(event) => event.key === "Enter" && event.stopPropagation()}
        >
          {stop ? t("Stop") : t("Continue")}
        </Button>
      ) : (
        // An error in the query takes the whole line.
        !failed && (
          <span className="flex items-center gap-1.5 tiny:hidden">
            <Kbd chord="ArrowUp" />
            <Kbd chord="ArrowDown" />
            {t("choose")}
            <Kbd chord="Enter" />
            {t("open")}
            <Kbd chord="Escape" />
            {t("close")}
          </span>
        )
      )}
    </footer>
  );
}
