import { QueryClientProvider } from "@tanstack/react-query";
import { Direction, Tooltip } from "radix-ui";
import { useEffect, useRef, useState } from "react";
import { Toaster } from "@/components/feedback/toaster";
import { connectUnsent } from "@/features/composer/draft/unsent";
import { LibraryGate } from "@/features/recovery/library-gate";
import { onCommand } from "@/lib/api/api";
import { connectChanges, createQueryClient } from "@/lib/api/query";
import { directionOf, t, useLanguage } from "@/lib/i18n/i18n";
import { connectKeys, runCommand } from "@/lib/keys/commands";
import { connectRuns } from "@/lib/run/runs";
import { useAppearance } from "./appearance";
import { ErrorBoundary } from "./error-boundary";
import { connectLinks } from "./links";
import { connectMouseButtons } from "./mouse-buttons";
import { Shell } from "./shell";
import { connectTitles } from "./titles";

/** The whole interface, with what every part of it needs. */
export function App() {
  const [client] = useState(createQueryClient);
  const language = useLanguage();
  const first = useRef(language);
  useEffect(() => {
    const disconnects = [
      connectChanges(client),
      connectRuns(),
      connectUnsent(),
      connectKeys(),
      connectLinks(),
      connectMouseButtons(),
      connectTitles(),
      onCommand((name) => void runCommand(name)),
    ];
    return () => {
      for (const disconnect of disconnects) disconnect();
    };
  }, [client]);
  return (
    <QueryClientProvider client={client}>
      <Direction.Provider dir={directionOf(language)}>
        <Tooltip.Provider delayDuration={500} skipDelayDuration={200}>
          <Appearance />
          {/* Another language draws everything again, with the settings in which it was chosen. */}
          <ErrorBoundary key={language} title={t("Something went wrong in the window")}>
            <LibraryGate>
              <Shell at={language === first.current ? undefined : "appearance"} />
            </LibraryGate>
          </ErrorBoundary>
          <Toaster />
        </Tooltip.Provider>
      </Direction.Provider>
    </QueryClientProvider>
  );
}

/** Applies theme and zoom, whatever the window shows. */
function Appearance() {
  useAppearance();
  return null;
}
