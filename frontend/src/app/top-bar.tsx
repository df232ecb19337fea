import { ArrowLeft, ArrowRight, PanelLeft, PanelRight, Search } from "lucide-react";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { Kbd } from "@/components/text/kbd";
import { t } from "@/lib/i18n/i18n";
import { type CommandName, runCommand, useCommandsNamed } from "@/lib/keys/commands";
import { Brand } from "./brand";
import { MainMenu } from "./main-menu";

interface TopBarProps {
  libraryOpen: boolean;
  treeOpen: boolean;
  /** There is a session on screen, and so a tree. */
  hasTree: boolean;
}

const shown = new Set<string>(["go-back", "go-forward"]);

/** The bar at the top: the name, the box that finds everything, import and the menu. */
export function TopBar({ libraryOpen, treeOpen, hasTree }: TopBarProps) {
  const commands = useCommandsNamed(shown);
  const isEnabled = (name: CommandName) =>
    commands.find((command) => command.name === name)?.enabled === true;
  return (
    <header className="border-b border-border bg-bg">
      <div className="grid h-full grid-cols-[minmax(max-content,1fr)_minmax(0,560px)_minmax(max-content,1fr)] items-center gap-3 px-3 tight:grid-cols-[auto_minmax(0,1fr)_auto]">
        <div className="flex min-w-0 items-center gap-2">
          <IconButton
            icon={PanelLeft}
            label={libraryOpen ? t("Hide the library") : t("Show the library")}
            command="toggle-library"
            aria-expanded={libraryOpen}
            onClick={() => runCommand("toggle-library")}
          />
          <span className="tight:hidden">
            <Brand />
          </span>
          <span className="flex tiny:hidden">
            <IconButton
              icon={ArrowLeft}
              label={t("Back")}
              command="go-back"
              disabled={!isEnabled("go-back")}
              onClick={() => runCommand("go-back")}
            />
            <IconButton
              icon={ArrowRight}
              label={t("Forward")}
              command="go-forward"
              disabled={!isEnabled("go-forward")}
              onClick={() => runCommand("go-forward")}
            />
          </span>
        </div>
        <button
          type="button"
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
          onClick={() => runCommand("palette")}
          className="flex h-7 min-w-0 items-center gap-2 rounded border border-border bg-surface px-2.5 text-text-3 hover:border-border-strong"
        >
          <Search size={14} aria-hidden="true" />
          <span className="flex-1 truncate text-start">{t("Search everything")}</span>
          <Kbd chord="Mod+K" />
        </button>
        <div className="flex min-w-0 items-center justify-end gap-2">
          <Button className="tiny:hidden" onClick={() => runCommand("import")}>
            {t("Import")}
          </Button>
          <Button
            variant="primary"
            className="tiny:hidden"
            onClick={() => runCommand("new-session")}
          >
            {t("New session")}
          </Button>
          <MainMenu />
          <IconButton
            icon={PanelRight}
            label={treeOpen ? t("Hide the tree") : t("Show the tree")}
            command="toggle-tree"
            aria-expanded={treeOpen && hasTree}
            disabled={!hasTree}
            onClick={() => runCommand("toggle-tree")}
          />
        </div>
      </div>
    </header>
  );
}
