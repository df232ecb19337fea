import { type ComponentProps, lazy, Suspense } from "react";
import { t } from "@/lib/i18n/i18n";
import { ErrorBoundary } from "./error-boundary";

// Its forms are not needed before the window is drawn.
const SettingsPage = lazy(() => import("@/features/settings/settings-page"));

/** The settings, over the panes. */
export function SettingsOverlay(props: ComponentProps<typeof SettingsPage>) {
  return (
    <ErrorBoundary title={t("Something went wrong in the settings")}>
      <Suspense>
        <SettingsPage {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
