import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { useFileWork } from "@/features/settings/use-file-work";
import { SettingsOverlay } from "./settings-overlay";
import { StatisticsOverlay } from "./statistics-overlay";
import { isSettings, type Overlay } from "./use-shell-commands";

/** What lies over the panes, or over the window. A session that is opened closes the pages over the panes. */
export function useOverPanes(sessionId: string, at: Overlay) {
  const [overlay, setOverlay] = useState<Overlay>(at);
  const [statistics, setStatistics] = useState(false);
  const work = useFileWork(() => setOverlay("data"));
  /** Closes the pages over the panes. */
  const uncover = useCallback(() => {
    setOverlay((now) => (isSettings(now) ? undefined : now));
    setStatistics(false);
  }, []);
  const shown = useRef(sessionId);
  useEffect(() => {
    if (sessionId && sessionId !== shown.current) uncover();
    shown.current = sessionId;
  }, [sessionId, uncover]);
  /** The page over the panes: the settings, else the statistics. `onSessions` shows the sessions of a figure. */
  const page = (onSessions: () => void): ReactNode => {
    if (isSettings(overlay))
      return (
        <SettingsOverlay
          at={overlay}
          sessionId={sessionId}
          work={work}
          onClose={() => setOverlay(undefined)}
        />
      );
    return (
      statistics && (
        <StatisticsOverlay onClose={() => setStatistics(false)} onSessions={onSessions} />
      )
    );
  };
  return { overlay, setOverlay, statistics, setStatistics, uncover, page };
}
