import clsx from "clsx";
import { Hand, Hourglass } from "lucide-react";
import type { LiveCall } from "@/lib/api/api";
import { useNow } from "@/lib/browser/use-now";
import { formatDuration } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import type { Live } from "@/lib/run/live";
import { useLivePart } from "@/lib/run/runs";
import type { Card } from "../path/plan";
import { useTranscript } from "../scope";

const callOf = (live: Live | undefined, callId: string): LiveCall | undefined =>
  live?.running ? live.calls.find((call) => call.callId === callId) : undefined;

/** The state of a call without a result. */
export function LiveStanding({ card: { message, block } }: { card: Card }) {
  const { session } = useTranscript();
  const call = useLivePart(session.id, (live) => callOf(live, block.callId));
  const waits = useLivePart(
    session.id,
    (live) => live?.questions.some(({ callId }) => callId === block.callId) ?? false,
  );
  const isOfRun = useLivePart(
    session.id,
    (live) => live?.running === true && message.createdAtMs >= live.run.startedAtMs,
  );
  const running = call?.running === true;
  const now = useNow(1000, running);
  const look = "flex shrink-0 items-center gap-1 font-sans text-sm whitespace-nowrap";
  if (waits)
    return (
      <span className={clsx(look, "text-warn")}>
        <Hand size={13} aria-hidden="true" />
        {t("waits for you")}
      </span>
    );
  if (call && running)
    return (
      <span className={clsx(look, "gap-1.5 text-text-2")}>
        <span className="run-dot" aria-hidden="true" />
        {`${t("running")} · ${formatDuration(Math.max(0, now - call.startedAtMs))}`}
      </span>
    );
  if (call)
    return (
      <span className={clsx(look, call.failed ? "text-error" : "text-text-3")}>
        {call.failed ? t("failed") : t("done")}
      </span>
    );
  if (isOfRun) return <span className={clsx(look, "text-text-3")}>{t("next")}</span>;
  return (
    <span className={clsx(look, "text-text-3")}>
      <Hourglass size={13} aria-hidden="true" />
      {t("no result")}
    </span>
  );
}

/** The last lines of what a call has printed so far; those of a call that has ended stay until its result is stored. */
export function LiveOutput({ card: { block } }: { card: Card }) {
  const { session } = useTranscript();
  const output = useLivePart(session.id, (live) => callOf(live, block.callId)?.output ?? "");
  if (output === "") return null;
  return (
    <pre
      className="measure mt-0.5 mb-1 ms-2 overflow-hidden text-ellipsis rounded border border-border bg-sunken px-3 py-1.5 font-mono text-sm leading-[18px] text-text-2"
      title={t("The end of what it has printed so far")}
    >
      {output}
    </pre>
  );
}
