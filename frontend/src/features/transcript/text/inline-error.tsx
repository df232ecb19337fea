import { CircleAlert } from "lucide-react";
import { Button } from "@/components/form/button";
import { toApiError } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

interface InlineErrorProps {
  /** What could not be done. */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** Says in its place what failed there, and offers to try again. */
export function InlineError({ title, error, onRetry }: InlineErrorProps) {
  const { message, hint } = toApiError(error);
  return (
    <div role="alert" className="measure my-1 flex items-center gap-2 rounded bg-sunken px-3 py-2">
      <CircleAlert size={16} className="shrink-0 text-error" aria-hidden="true" />
      <p className="selectable min-w-0 flex-1 [overflow-wrap:anywhere]">
        {title}: <span className="text-text-2">{hint ? `${message}. ${hint}` : message}</span>
      </p>
      {onRetry && <Button onClick={onRetry}>{t("Retry")}</Button>}
    </div>
  );
}
