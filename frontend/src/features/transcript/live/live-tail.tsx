import clsx from "clsx";
import { Clock, RotateCw } from "lucide-react";
import { memo } from "react";
import { AuthorMark } from "@/components/session/author-mark";
import { authorStyle } from "@/components/session/author-style";
import type { MessageView } from "@/lib/api/api";
import { useNow } from "@/lib/browser/use-now";
import { formatDuration } from "@/lib/format/format";
import { shortModel } from "@/lib/format/model";
import { t } from "@/lib/i18n/i18n";
import { currentDraft, type Draft, type Live, unwritten } from "@/lib/run/live";
import { useLive } from "@/lib/run/runs";
import { useTranscript } from "../scope";
import { LiveBlocks } from "./live-blocks";

interface LiveTailProps {
  /** The last message of the path that is shown; undefined in an empty session. */
  before: MessageView | undefined;
  /** Reports whether a message is on screen, or above it. */
  isShown: (uid: string) => boolean;
  /** The last message of the path that is loaded, hidden ones included; empty if none is loaded. */
  lastUid: string;
}

/** What is shown below the messages during a run: the answer as it is written, and what the run waits for. */
export function LiveTail({ before, isShown, lastUid }: LiveTailProps) {
  const { session, authors } = useTranscript();
  const live = useLive(session.id);
  if (!live) return null;
  const drafts = unwritten(live, isShown, lastUid).filter(({ blocks }) => blocks.length > 0);
  return (
    <>
      {drafts.map((draft, at) => (
        <LiveDraft
          key={draft.id}
          draft={draft}
          agent={live.run.agent}
          authors={authors}
          model={live.run.model}
          header={at === 0 && !continues(before, live)}
        />
      ))}
      {live.running && <Waiting live={live} authors={authors} />}
      {live.running && <Said queue={live.queue} />}
    </>
  );
}

/** The answer continues under the header of the step before it, as it will when it is written. */
function continues(before: MessageView | undefined, { run }: Live): boolean {
  if (before?.kind !== "message") return false;
  if (before.role === "tool") return true;
  return before.role === "assistant" && before.agent === run.agent && before.model === run.model;
}

interface LiveDraftProps {
  draft: Draft;
  agent: string;
  authors: readonly string[];
  model: string;
  header: boolean;
}

const LiveDraft = memo(function LiveDraft(props: LiveDraftProps) {
  const { draft, agent, authors, model, header } = props;
  const style = authorStyle(agent, authors);
  return (
    <article
      style={style}
      aria-label={t("{{agent}} is answering", { agent: agent || t("Assistant") })}
      className={clsx("message ruled", style ? "tone-author" : "tone-assistant", header && "opens")}
    >
      {header && (
        <div className="measure mb-[3px] flex h-[22px] items-center gap-2.5 text-sm text-text-3">
          <span className="role-word max-w-60 shrink-0 truncate font-semibold">
            {agent || t("Assistant")}
          </span>
          <span className="min-w-8 truncate" title={model}>
            {shortModel(model)}
          </span>
        </div>
      )}
      <LiveBlocks draft={draft} />
    </article>
  );
});

/** Shows what the run waits for while nothing is written. */
function Waiting({ live, authors }: { live: Live; authors: readonly string[] }) {
  const draft = currentDraft(live);
  const { working, questions } = live;
  // What several agents do at once is not drawn while they do it.
  const works = working.length < 2 && live.calls.some(({ running }) => running);
  const quiet = !works && questions.length === 0 && (draft?.blocks.length ?? 0) === 0;
  const now = useNow(1000, quiet);
  if (live.retry !== "")
    return (
      <p className="live-line text-warn">
        <RotateCw size={14} aria-hidden="true" />
        <span className="min-w-0 [overflow-wrap:anywhere]">{live.retry}</span>
      </p>
    );
  if (!quiet) return null;
  const first = live.run.stepCount === 0 && live.lastUid === "";
  const since = now - live.run.startedAtMs;
  return (
    <p className="live-line animate-late text-text-3">
      <span className="run-dot" aria-hidden="true" />
      {working.length > 0 ? (
        <Working live={live} authors={authors} />
      ) : first ? (
        t("Starting")
      ) : (
        t("Waiting for the model")
      )}
      {first && since > 2000 && <span>{formatDuration(since)}</span>}
    </p>
  );
}

/** Shows which agents of a team have their turn, and what they do. */
function Working({ live, authors }: { live: Live; authors: readonly string[] }) {
  const { working, turn } = live;
  const [only = ""] = working;
  const does = turn.startsWith(`${only} `)
    ? turn.slice(only.length + 1)
    : t("Waiting for the model");
  const added = working.filter((name) => !authors.includes(name));
  return (
    <>
      <span className="flex min-w-0 flex-wrap gap-x-3">
        {working.map((name) => (
          <AuthorMark
            key={name}
            name={name}
            authors={[...authors, ...added]}
            className="text-text-2"
          />
        ))}
      </span>
      <span className="min-w-0 truncate" title={turn || undefined}>
        {working.length > 1 ? t("Working in parallel") : does}
      </span>
    </>
  );
}

/** Messages that the model has not received yet. */
function Said({ queue }: { queue: readonly string[] }) {
  return queue.map((text, at) => (
    // What was said first is heard first: a line keeps its place until it is a message.
    // biome-ignore lint/suspicious/noArrayIndexKey: the same words may be said twice
    <article key={at} className="message opens ruled tone-you" aria-label={t("You, queued")}>
      <div className="measure mb-[3px] flex h-[22px] items-center gap-2.5 text-sm text-text-3">
        <span className="role-word shrink-0 font-semibold">{t("You")}</span>
        <span className="flex items-center gap-1">
          <Clock size={13} aria-hidden="true" />
          {t("queued, sent after this step")}
        </span>
      </div>
      <p className="selectable measure py-[3px] text-xl whitespace-pre-wrap text-text-2 [overflow-wrap:anywhere]">
        {text}
      </p>
    </article>
  ));
}
