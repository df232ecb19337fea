import clsx from "clsx";
import { Ban, CircleStop, CircleX, ExternalLink, Hourglass, type LucideIcon } from "lucide-react";
import { Button } from "@/components/form/button";
import type { Block } from "@/lib/api/api";
import { formatCount, formatDuration } from "@/lib/format/format";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { useFold } from "../path/folds";
import { type Card, foldOf } from "../path/plan";
import { useTranscript } from "../scope";
import { FoldLine } from "../text/fold-line";
import { CallPreview } from "./call-preview";
import { LiveOutput, LiveStanding } from "./live-call";
import { Media } from "./media";
import { ToolDetail } from "./tool-detail";

/**
 * A tool call as one line, `▸ edit_file  backend/auth.go  +12 −4  0.3 s`, that opens to what it got and gave. What matters of it is seen at
 * once: its changes, the end of its output, its images.
 */
export function ToolCard({ card }: { card: Card }) {
  const { folds, wide } = useTranscript();
  const { block } = card;
  const [open, toggle] = useFold(folds, foldOf(card));
  const changed = block.added > 0 || block.removed > 0;
  return (
    <div className={clsx("-ms-2", open && changed && wide ? "max-w-[1280px]" : "measure-card")}>
      <div className="flex items-center gap-1">
        <FoldLine open={open} onToggle={toggle} well className="font-mono text-text-2">
          <span
            className="max-w-[45%] shrink-0 truncate font-semibold text-tool"
            title={block.toolName}
          >
            {block.toolName || "result"}
          </span>
          <span className="min-w-0 truncate" title={block.target} dir="auto">
            {block.target}
          </span>
          <Changed block={block} />
          <span className="flex-1" />
          {isOpenCall(block) ? <LiveStanding card={card} /> : <Standing block={block} />}
        </FoldLine>
        {block.childId !== "" && (
          <Button variant="quiet" onClick={() => runCommand("open-session", block.childId)}>
            {t("Open session")}
            <ExternalLink size={14} aria-hidden="true" />
          </Button>
        )}
      </div>
      {isOpenCall(block) && <LiveOutput card={card} />}
      {open && <ToolDetail card={card} />}
      {!open && block.preview && (
        <CallPreview preview={block.preview} target={block.target} onOpen={toggle} />
      )}
      {!open && block.images && (
        <div className="ps-2">
          {block.images.map((image) => (
            <Media key={image.part} block={image} />
          ))}
        </div>
      )}
    </div>
  );
}

/** It has no result, so it may be under way. */
function isOpenCall({ type, state, callId }: Block): boolean {
  return type === "tool" && state === "missing" && callId !== "";
}

function Changed({ block: { added, removed } }: { block: Block }) {
  if (added === 0 && removed === 0) return null;
  return (
    <span className="flex shrink-0 gap-1.5">
      {added > 0 && (
        <span className="text-accent">
          +{formatCount(added)}
          <span className="sr-only"> {t("lines added")}</span>
        </span>
      )}
      {removed > 0 && (
        <span className="text-error">
          −{formatCount(removed)}
          <span className="sr-only"> {t("lines removed")}</span>
        </span>
      )}
    </span>
  );
}

const standings: Record<string, { word: Message; icon: LucideIcon; tone: string }> = {
  failed: { word: msg("failed"), icon: CircleX, tone: "text-error" },
  interrupted: { word: msg("interrupted"), icon: CircleStop, tone: "text-warn" },
  denied: { word: msg("denied"), icon: Ban, tone: "text-warn" },
  missing: { word: msg("no result"), icon: Hourglass, tone: "text-text-3" },
};

/** How the call ended, and how long it took. */
function Standing({ block }: { block: Block }) {
  const { state, durationMs } = block;
  const standing = standings[state];
  const Icon = standing?.icon;
  const word = wordOf(block);
  const lasted = formatDuration(durationMs);
  // Most calls are done: only what differs is worth a word on screen.
  const isUsual = word === t("done");
  return (
    <span className="flex shrink-0 items-center gap-1 font-sans text-sm text-text-3">
      <span className={clsx(isUsual ? "sr-only" : "flex items-center gap-1", standing?.tone)}>
        {Icon && <Icon size={13} aria-hidden="true" />}
        {word}
      </span>
      {lasted && <span>{isUsual ? lasted : `· ${lasted}`}</span>}
    </span>
  );
}

function wordOf({ state, type, preview }: Block): string {
  const isPlan = preview?.kind === "plan";
  if (isPlan && state === "denied") return t("rejected");
  if (isPlan && state === "done") return t("approved");
  const code = preview?.exitCode;
  if (code !== undefined && (state === "failed" || state === "done"))
    return t("exit code {{code}}", { code: `${code}` });
  const standing = standings[state];
  if (standing) return translate(standing.word);
  return type === "result" ? t("result") : t("done");
}
