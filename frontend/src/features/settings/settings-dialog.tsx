import { useQuery } from "@tanstack/react-query";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { RadioCards } from "@/components/form/radio-cards";
import { Dialog } from "@/components/overlay/dialog";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { runCommand } from "@/lib/keys/commands";
import { Approvals } from "./approvals";
import { Backups } from "./backups";
import { DataFile } from "./data-file";
import { FollowedFolders } from "./followed-folders";
import { HibernateAfter } from "./hibernate-after";
import { ModelKeys } from "./model-keys";
import type { FileWork } from "./use-file-work";

interface SettingsDialogProps {
  open: boolean;
  /** The title of the section to begin with; empty: the first one. */
  at: string;
  /** The session on screen; empty: none. */
  sessionId: string;
  work: FileWork;
  onClose: () => void;
}

/** Looks, keys, permissions, the data file, and what this program is. Changes count at once. */
export function SettingsDialog({ open, at, sessionId, work, onClose }: SettingsDialogProps) {
  const { data: settings } = useQuery({ queryKey: keys.settings(), queryFn: api.getSettings });
  const about = useQuery({ queryKey: keys.about(), queryFn: api.getAbout, enabled: open });
  return (
    <Dialog open={open} onClose={onClose} title="Settings" wide>
      <Section title="Appearance">
        <RadioCards
          label="Theme"
          value={settings?.theme ?? "system"}
          onChange={(theme) => runCommand(`theme-${theme}`)}
          cards={[
            { value: "system", title: "System" },
            { value: "light", title: "Light" },
            { value: "dark", title: "Dark" },
          ]}
        />
        <div className="mt-3 flex items-center gap-1">
          <span className="mr-2 text-sm text-text-3">Zoom</span>
          <IconButton
            icon={Minus}
            label="Zoom out"
            command="zoom-out"
            onClick={() => runCommand("zoom-out")}
          />
          <output className="w-14 text-center">{settings?.zoomPercent ?? 100} %</output>
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
      </Section>
      <Section title="Hibernation">
        <HibernateAfter settings={settings} />
      </Section>
      <Section title="Model keys" first={at === "Model keys"}>
        <ModelKeys />
      </Section>
      <Section title="Remembered permissions">
        <Approvals sessionId={sessionId} />
      </Section>
      <Section title="Followed folders" first={at === "Followed folders"}>
        <FollowedFolders />
      </Section>
      <Section title="Data">
        <DataFile about={about.data} error={about.error} work={work} />
        <Backups work={work} />
      </Section>
      <Section title="About">
        <p>
          Coppice {about.data?.version} keeps every conversation with AI agents as a tree in one
          file.
        </p>
        <p className="text-text-2">
          MIT licence. Nothing leaves this machine except what you send to a model.
        </p>
      </Section>
    </Dialog>
  );
}

interface SectionProps {
  title: string;
  /** It is what the dialog was opened for. */
  first?: boolean;
  children: ReactNode;
}

function Section({ title, first = false, children }: SectionProps) {
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (first) section.current?.scrollIntoView({ block: "start" });
  }, [first]);
  return (
    <section ref={section} className="border-t border-border py-4 first:border-t-0 first:pt-1">
      <h3 className="mb-2 font-semibold">{title}</h3>
      {children}
    </section>
  );
}
