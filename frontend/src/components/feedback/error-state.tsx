import { CircleAlert } from "lucide-react";
import { Button } from "@/components/form/button";
import { CopyButton } from "@/components/form/copy-button";
import { toApiError } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

interface ErrorStateProps {
  /** The failure: "The library could not be read". */
  title: string;
  error: unknown;
  onRetry?: () => void;
}

/** The content of a view that failed: what happened, what to do, and the details to copy. */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const { code, message, hint } = toApiError(error);
  return (
    <div
      role="alert"
      className="flex h-full flex-col items-center justify-center gap-1 p-6 text-center"
    >
      <CircleAlert size={20} className="mb-2 text-error" aria-hidden="true" />
      <p className="font-semibold">{title}</p>
      <p className="selectable max-w-[52ch] text-text-2 [overflow-wrap:anywhere]">{message}</p>
      {hint && <p className="selectable max-w-[52ch] text-text-2">{hint}</p>}
      <div className="mt-3 flex gap-2">
        {onRetry && <Button onClick={onRetry}>{t("Try again")}</Button>}
        <CopyButton
          label={t("Copy details")}
          text={`${title}\n${message}\n${hint}\ncode: ${code}`}
        />
      </div>
    </div>
  );
}
