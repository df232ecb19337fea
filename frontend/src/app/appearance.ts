// Theme, zoom, contrast and the text of sessions, from the settings to the page.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { toastError } from "@/components/feedback/toast";
import { changeSettings } from "@/features/settings/change-settings";
import { api, type Settings } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { setPageZoom } from "@/lib/browser/zoom";
import { setLanguage, t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";

const zooms = [50, 67, 75, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];

/** The next step of zoom above (1) or below (-1). */
export function stepZoom(percent: number, step: 1 | -1): number {
  const next =
    step === 1 ? zooms.find((zoom) => zoom > percent) : zooms.findLast((zoom) => zoom < percent);
  return next ?? percent;
}

function setOrRemove(dataset: DOMStringMap, name: string, value: string | undefined): void {
  if (value === undefined) delete dataset[name];
  else dataset[name] = value;
}

/** Keeps the page's language, theme, zoom, contrast and text as set, and registers their commands. */
export function useAppearance(): void {
  const client = useQueryClient();
  const { data: settings } = useQuery({ queryKey: keys.settings(), queryFn: api.getSettings });
  useEffect(() => {
    if (!settings) return;
    setLanguage(settings.language ?? "").catch((error) =>
      toastError(t("Could not load the language"), error),
    );
    setPageZoom(settings.zoomPercent / 100);
    const { dataset, style } = document.documentElement;
    setOrRemove(dataset, "readingSize", settings.readingFontPx ? "own" : undefined);
    setOrRemove(dataset, "readingWidth", settings.readingWidth || undefined);
    style.setProperty("--reading-size", `${settings.readingFontPx || 15}px`);
  }, [settings]);
  useEffect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const apply = () => {
      const system = dark.matches ? "dark" : "light";
      const theme = settings?.theme ?? "system";
      document.documentElement.dataset.theme = theme === "system" ? system : theme;
    };
    apply();
    dark.addEventListener("change", apply);
    return () => dark.removeEventListener("change", apply);
  }, [settings?.theme]);

  const wantsContrast = settings?.highContrast ?? false;
  useEffect(() => {
    const more = window.matchMedia("(prefers-contrast: more)");
    const apply = () => {
      const isHigh = wantsContrast || more.matches;
      setOrRemove(document.documentElement.dataset, "contrast", isHigh ? "high" : undefined);
    };
    apply();
    more.addEventListener("change", apply);
    return () => more.removeEventListener("change", apply);
  }, [wantsContrast]);

  const change = (part: (now: Settings) => Partial<Settings>) => void changeSettings(client, part);
  // From what is set by now, which may not be drawn yet: keys come fast.
  const zoomBy = (step: 1 | -1) =>
    change(({ zoomPercent }) => ({ zoomPercent: stepZoom(zoomPercent, step) }));
  useCommand("zoom-in", () => zoomBy(1));
  useCommand("zoom-out", () => zoomBy(-1));
  useCommand("zoom-reset", () => change(() => ({ zoomPercent: 100 })));
  useCommand("theme-light", () => change(() => ({ theme: "light" })));
  useCommand("theme-dark", () => change(() => ({ theme: "dark" })));
  useCommand("theme-system", () => change(() => ({ theme: "system" })));
}
