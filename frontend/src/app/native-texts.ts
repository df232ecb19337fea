import { useEffect } from "react";
import { api, type NativeTexts } from "@/lib/api/api";
import { type Message, t, translate, useLanguage } from "@/lib/i18n/i18n";
import { allCommands, commandSpec, englishTitle } from "@/lib/keys/commands";
import menu from "@/lib/keys/menu.json";

/** The texts of what the page does not draw: the system's dialogs and notifications, and the menu bar of macOS. */
function nativeTexts(): NativeTexts {
  return {
    chooseFolder: t("Choose the folder to work in"),
    chooseWatchFile: t("Choose the file to watch"),
    chooseWatchPlace: t("Choose the folder to watch"),
    chooseForPage: t("Choose files"),
    importFiles: t("Import session files"),
    importFolder: t("Import a folder of sessions"),
    export: t("Export"),
    exportStatistics: t("Export statistics"),
    backUp: t("Back up library"),
    // The placeholder stays: Go replaces it.
    sessions: t("Sessions ({{patterns}})", { patterns: "{{patterns}}" }),
    images: t("Images"),
    allFiles: t("All files"),
    open: t("Open"),
    save: t("Save"),
    cancel: t("Cancel"),
    closeTitle: t("Stop and close?"),
    closeOne: t(
      "A session is running. Stop and close? What is finished is kept, and the work can be continued later.",
    ),
    closeSeveral: t(
      "Several sessions are running. Stop and close? What is finished is kept, and the work can be continued later.",
    ),
    stopAndClose: t("Stop and close"),
    keepRunning: t("Keep running"),
    runWaits: t("Waits for you: {{question}}", { question: "{{question}}" }),
    runDone: t("The run is done"),
    runStopped: t("The run was stopped"),
    runFailed: t("The run failed"),
    runInterrupted: t("The run was interrupted"),
    runHibernated: t("The session hibernates"),
    couldNotWake: t("Could not wake the session: {{message}}", { message: "{{message}}" }),
    menu: menuTitles(),
  };
}

/** The titles of the menus and of their entries, by the English ones. */
function menuTitles(): Record<string, string> {
  const titles: Record<string, string> = {};
  for (const { title } of menu) titles[title] = translate(title as Message, { context: "menu" });
  for (const name of allCommands()) titles[englishTitle(name)] = commandSpec(name).title;
  return titles;
}

/** Sends Go the texts that it shows itself, in the language on screen. */
export function useNativeTexts(): void {
  const language = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts are of the language
  useEffect(() => {
    // Without an answer they stay English; nothing else depends on them.
    void api.setTexts(nativeTexts()).catch(() => {});
  }, [language]);
}
