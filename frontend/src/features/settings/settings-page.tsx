import {
  Bell,
  BookOpen,
  Bot,
  Cpu,
  Database,
  FolderSync,
  Info,
  type LucideIcon,
  Palette,
  X,
} from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "@/components/form/icon-button";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { AboutSection } from "./about-section";
import { AgentsSection } from "./agents-section";
import { AppearanceSection } from "./appearance-section";
import { DataSection } from "./data-section";
import { LocationsSection } from "./locations-section";
import { ModelsSection } from "./models-section";
import { NotificationsSection } from "./notifications-section";
import { ReadingSection } from "./reading-section";
import type { FileWork } from "./use-file-work";

const sections = [
  { name: "models", title: msg("Models"), icon: Cpu },
  { name: "agents", title: msg("Agents and MCP servers"), icon: Bot },
  { name: "locations", title: msg("Known locations"), icon: FolderSync },
  { name: "appearance", title: msg("Appearance"), icon: Palette },
  { name: "reading", title: msg("Reading"), icon: BookOpen },
  { name: "notifications", title: msg("Notifications"), icon: Bell },
  { name: "data", title: msg("Data"), icon: Database },
  { name: "about", title: msg("About"), icon: Info },
] as const satisfies { name: string; title: Message; icon: LucideIcon }[];

/** A section of the settings. */
export type SettingsSection = (typeof sections)[number]["name"];

interface SettingsPageProps {
  /** The section to show first. */
  at: SettingsSection;
  /** The session on screen; empty: none. */
  sessionId: string;
  work: FileWork;
  onClose: () => void;
}

/** The settings, over the panes. Every change takes effect immediately. */
export default function SettingsPage({ at, sessionId, work, onClose }: SettingsPageProps) {
  const [shown, show] = useState<SettingsSection>(at);
  const page = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    show(at);
  }, [at]);
  useEffect(() => {
    const before = document.activeElement;
    page.current?.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  useEffect(() => {
    // The focus is on nothing after the button that had it, such as that of a removed row, is gone.
    const close = (event: globalThis.KeyboardEvent) => {
      const isLost = document.activeElement === document.body;
      if (event.key === "Escape" && isLost && !event.defaultPrevented) onClose();
    };
    document.addEventListener("keydown", close);
    return () => document.removeEventListener("keydown", close);
  }, [onClose]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another section begins at its top
  useEffect(() => {
    content.current?.scrollTo({ top: 0 });
  }, [shown]);
  const { title } = sections.find(({ name }) => name === shown) ?? sections[0];
  return (
    <section
      ref={page}
      data-pane="settings"
      aria-label={t("Settings")}
      className="absolute inset-0 z-40 grid grid-cols-[232px_minmax(0,1fr)] bg-bg outline-none tight:grid-cols-[200px_minmax(0,1fr)] tiny:grid-cols-[48px_minmax(0,1fr)]"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <nav
        aria-label={t("Settings")}
        className="flex min-h-0 flex-col overflow-y-auto border-e border-border px-2 pt-4 pb-4"
      >
        <h2 className="px-2 pb-3 text-xl font-semibold tiny:sr-only">{t("Settings")}</h2>
        <SectionTabs shown={shown} onShow={show} />
      </nav>
      <div ref={content} className="min-h-0 overflow-y-auto">
        <div
          role="tabpanel"
          id="settings-panel"
          aria-labelledby={`settings-${shown}`}
          className="mx-auto max-w-[840px] px-8 pt-4 pb-12 tiny:px-4"
        >
          <header className="mb-4 flex items-center">
            <h3 className="flex-1 text-2xl font-semibold">{translate(title)}</h3>
            <IconButton icon={X} label={t("Close the settings")} keys="Escape" onClick={onClose} />
          </header>
          {shown === "models" && <ModelsSection />}
          {shown === "agents" && <AgentsSection sessionId={sessionId} />}
          {shown === "locations" && <LocationsSection />}
          {shown === "appearance" && <AppearanceSection />}
          {shown === "reading" && <ReadingSection />}
          {shown === "notifications" && <NotificationsSection />}
          {shown === "data" && <DataSection work={work} />}
          {shown === "about" && <AboutSection />}
        </div>
      </div>
    </section>
  );
}

interface SectionTabsProps {
  shown: SettingsSection;
  onShow: (name: SettingsSection) => void;
}

/** The list of sections: arrows choose, as in a list of tabs. */
function SectionTabs({ shown, onShow }: SectionTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const index = sections.findIndex(({ name }) => name === shown);
    const to = {
      ArrowDown: index + 1,
      ArrowUp: index - 1,
      Home: 0,
      End: sections.length - 1,
    }[event.key];
    const next = to === undefined ? undefined : sections[to];
    if (!next) return;
    event.preventDefault();
    onShow(next.name);
    list.current?.querySelector<HTMLElement>(`#settings-${next.name}`)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label={t("Sections")}
      aria-orientation="vertical"
      className="flex flex-col gap-0.5"
    >
      {sections.map(({ name, title, icon: Icon }) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`settings-${name}`}
          aria-selected={name === shown}
          aria-controls={name === shown ? "settings-panel" : undefined}
          tabIndex={name === shown ? 0 : -1}
          onKeyDown={move}
          onClick={() => onShow(name)}
          className="flex min-h-8 items-center gap-2.5 rounded px-2 py-1 text-start text-text-2 hover:bg-sunken hover:text-text aria-selected:bg-accent-soft aria-selected:font-semibold aria-selected:text-text"
        >
          <Icon size={16} aria-hidden="true" />
          <span className="min-w-0 tiny:sr-only">{translate(title)}</span>
        </button>
      ))}
    </div>
  );
}
