import { type ComponentProps, lazy, Suspense } from "react";
import { ErrorBoundary } from "./error-boundary";

// Its forms are not needed before the window is drawn.
const SettingsPage = lazy(() => import("@/features/settings/settings-page"));

/** The settings, over the panes. */
export function SettingsOverlay(props: ComponentProps<typeof SettingsPage>) {
  return (
    <ErrorBoundary title="Something went wrong in the settings">
      <Suspense>
        <SettingsPage {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
