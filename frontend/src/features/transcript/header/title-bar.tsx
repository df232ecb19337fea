import { Columns2, CornerLeftUp, FileX2, GitBranch, GitBranchPlus, Share } from "lucide-react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";
import type { Session } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { commandSpec, keyOf, runCommand } from "@/lib/keys/commands";
import type { Mode } from "@/lib/session/mode";
import { Breadcrumbs } from "./breadcrumbs";
import { HeaderAction } from "./header-action";
import { HitPager } from "./hit-pager";
import { LinksMenu } from "./links-menu";
import { ModeToggle } from "./mode-toggle";
import { OriginalMenu } from "./original-menu";
import { TitleField } from "./title-field";

interface TitleBarProps {
  session: Session;
  /** The turn on screen; undefined while it loads. */
  turn: number | undefined;
  /** Goes to a turn above it. */
  onGo: (turn: number) => void;
  /** The head is not on the path to what is shown, nor below it. */
  headIsElsewhere: boolean;
  renaming: boolean;
  onRename: (renaming: boolean) => void;
  onContinue: () => void;
  onExport: () => void;
  mode: Mode;
  onMode: (mode: Mode) => void;
}

/** The line above the transcript: the session, the place in it, and what to do with both. */
export function TitleBar(props: TitleBarProps) {
  const { session, turn, renaming } = props;
  return (
    <header className="@container flex h-11 shrink-0 items-center gap-2 border-b border-border px-6 tight:px-3">
      {session.parentId !== "" && (
        <Tooltip text={commandSpec("open-parent-session").title}>
          <Button
            variant="quiet"
            aria-label={commandSpec("open-parent-session").title}
            className="-ms-2"
            onClick={() => runCommand("open-session", session.parentId)}
          >
            <CornerLeftUp size={16} aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
      <TitleField session={session} editing={renaming} onEdit={props.onRename} />
      {!renaming && session.name && (
        <span className="shrink-0 text-sm text-text-3">{session.name}</span>
      )}
      {!renaming && turn !== undefined && (
        <Breadcrumbs sessionId={session.id} turn={turn} onGo={props.onGo} />
      )}
      {!renaming && turn === undefined && <span className="flex-1" />}
      <HitPager sessionId={session.id} />
      <LinksMenu sessionId={session.id} />
      {session.sourceGoneAtMs && (
        <Tooltip
          text={t("{{tool}} no longer has {{path}}. Its messages stay in this library.", {
            tool: sourceName(session.source),
            path: session.sourcePath,
          })}
        >
          <span
            role="note"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what it says must be reached by keyboard
            tabIndex={0}
            className="flex shrink-0 items-center gap-1 text-sm text-text-3"
          >
            <FileX2 size={14} aria-hidden="true" />
            {t("only here")}
          </span>
        </Tooltip>
      )}
      {session.incompleteStart && (
        <Tooltip
          text={t("{{tool}} no longer has the first messages of this session.", {
            tool: sourceName(session.source),
          })}
        >
          <span
            role="note"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what it says must be reached by keyboard
            tabIndex={0}
            className="shrink-0 text-sm text-text-3"
          >
            {t("start missing")}
          </span>
        </Tooltip>
      )}
      {props.headIsElsewhere && (
        <Tooltip
          text={t(
            "The session continues on another path. The next message then continues from the end of this one; none of the {{branches}} changes.",
            { branches: formatPlural(session.branchCount, "branch", "branches") },
          )}
        >
          <Button
            variant="quiet"
            aria-label={commandSpec("move-head").title}
            onClick={props.onContinue}
          >
            <GitBranch size={16} aria-hidden="true" />
            <span className="@max-5xl:hidden">{commandSpec("move-head").title}</span>
          </Button>
        </Tooltip>
      )}
      <ModeToggle mode={props.mode} onMode={props.onMode} />
      <HeaderAction
        icon={GitBranchPlus}
        label={commandSpec("branch-from").title}
        keys={keyOf("branch-from")}
        isSpare
        onClick={() => runCommand("branch-from")}
      />
      {session.branchCount > 1 && (
        <HeaderAction
          icon={Columns2}
          label={t("Compare")}
          keys={keyOf("compare")}
          isSpare
          onClick={() => runCommand("compare")}
        />
      )}
      <HeaderAction icon={Share} label={t("Export")} onClick={props.onExport} />
      <span className="contents @max-lg:hidden">
        <OriginalMenu session={session} />
      </span>
    </header>
  );
}
