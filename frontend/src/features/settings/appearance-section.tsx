import { Minus, Plus } from "lucide-react";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { IconButton } from "@/components/form/icon-button";
import { RadioCards } from "@/components/form/radio-cards";
import { runCommand } from "@/lib/keys/commands";
import { Group } from "./section";
import { useSettings } from "./use-setup";

/** Theme, contrast and zoom. */
export function AppearanceSection() {
  const { settings, change } = useSettings();
  return (
    <>
      <Group title="Theme">
        <RadioCards
          label="Colors"
          value={settings?.theme ?? "system"}
          onChange={(theme) => runCommand(`theme-${theme}`)}
          cards={[
            { value: "system", title: "System", text: "As the desktop is set" },
            { value: "light", title: "Light" },
            { value: "dark", title: "Dark" },
          ]}
        />
        <div className="mt-4">
          <Checkbox
            title="High contrast"
            text="Stronger text, lines and focus marks in both themes. It is also used when the system asks for more contrast."
            checked={settings?.highContrast ?? false}
            onChange={(highContrast) => void change({ highContrast })}
          />
        </div>
      </Group>
      <Group title="Zoom" text="The size of everything in the window.">
        <div className="flex items-center gap-1">
          <IconButton
            icon={Minus}
            label="Zoom out"
            command="zoom-out"
            onClick={() => runCommand("zoom-out")}
          />
          <output aria-label="Zoom" className="w-14 text-center">
            {settings?.zoomPercent ?? 100} %
          </output>
          <IconButton
            icon={Plus}
            label="Zoom in"
            command="zoom-in"
            onClick={() => runCommand("zoom-in")}
          />
          <Button variant="quiet" onClick={() => runCommand("zoom-reset")}>
            Reset
          </Button>
        </div>
      </Group>
    </>
  );
}
