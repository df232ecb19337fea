import { lazy, Suspense } from "react";
import { showOnly } from "@/features/library/filters";
import { t } from "@/lib/i18n/i18n";
import { ErrorBoundary } from "./error-boundary";

// Its charts are not needed before the window is drawn.
const StatisticsPage = lazy(() => import("@/features/statistics/statistics-page"));

interface StatisticsOverlayProps {
  onClose: () => void;
  /** The library shows the sessions of a figure. */
  onSessions: () => void;
}

/** The statistics, over the panes. */
export function StatisticsOverlay({ onClose, onSessions }: StatisticsOverlayProps) {
  return (
    <ErrorBoundary title={t("Something went wrong in the statistics")}>
      <Suspense>
        <StatisticsPage
          onClose={onClose}
          onShow={({ source, workspace, model }, days) => {
            onClose();
            showOnly({ sources: source ? [source] : [], workspace, model, days });
            onSessions();
          }}
        />
      </Suspense>
    </ErrorBoundary>
  );
}
