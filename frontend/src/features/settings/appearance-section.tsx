import { Minus, Plus } from "lucide-react";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { IconButton } from "@/components/form/icon-button";
import { RadioCards } from "@/components/form/radio-cards";
import { t } from "@/lib/i18n/i18n";
import { languageNames, pseudoNames } from "@/lib/i18n/languages";
import { runCommand } from "@/lib/keys/commands";
import { Group } from "./section";
import { useSettings } from "./use-setup";

/** Language, theme, contrast and zoom. */
export function AppearanceSection() {
  const { settings, change } = useSettings();
  return (
    <>
      <LanguageGroup
        setting={settings?.language ?? ""}
        onChange={(language) => void change({ language })}
      />
      <Group title={t("Theme")}>
        <RadioCards
          label={t("Colors")}
          value={settings?.theme ?? "system"}
          onChange={(theme) => runCommand(`theme-${theme}`)}
          cards={[
            { value: "system", title: t("System"), text: t("As the desktop is set") },
            { value: "light", title: t("Light") },
            { value: "dark", title: t("Dark") },
          ]}
        />
        <div className="mt-4">
          <Checkbox
            title={t("High contrast")}
            text={t(
              "Stronger text, lines and focus marks in both themes. It is also used when the system asks for more contrast.",
            )}
            checked={settings?.highContrast ?? false}
            onChange={(highContrast) => void change({ highContrast })}
          />
        </div>
      </Group>
      <Group title={t("Zoom")} text={t("The size of everything in the window.")}>
        <div className="flex items-center gap-1">
          <IconButton
            icon={Minus}
            label={t("Zoom out")}
            command="zoom-out"
            onClick={() => runCommand("zoom-out")}
          />
          <output aria-label={t("Zoom")} className="w-14 text-center">
            {settings?.zoomPercent ?? 100} %
          </output>
          <IconButton
            icon={Plus}
            label={t("Zoom in")}
            command="zoom-in"
            onClick={() => runCommand("zoom-in")}
          />
          <Button variant="quiet" onClick={() => runCommand("zoom-reset")}>
            {t("Reset")}
          </Button>
        </div>
      </Group>
    </>
  );
}

interface LanguageGroupProps {
  /** Empty: the system's. */
  setting: string;
  onChange: (setting: string) => void;
}

/** The language of the window. Languages have their own names, so that a user finds the way back from a language unknown to them. */
function LanguageGroup({ setting, onChange }: LanguageGroupProps) {
  const names = { ...languageNames, ...(import.meta.env.DEV ? pseudoNames : {}) };
  return (
    <Group
      title={t("Language")}
      text={t(
        "The language of the window. Sessions stay as they are, and so do messages of models and tools.",
      )}
    >
      <select
        aria-label={t("Language")}
        value={setting}
        onChange={({ target }) => onChange(target.value)}
        className="h-7 rounded border border-border bg-surface px-2 hover:border-border-strong"
      >
        <option value="">{t("As the system is set")}</option>
        {Object.entries(names).map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </Group>
  );
}
