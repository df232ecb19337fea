import clsx from "clsx";
import { Columns2, Hand, Square } from "lucide-react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { api, type Lane } from "@/lib/api/api";
import { baseName } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { useCommand } from "@/lib/keys/commands";
import type { Live } from "@/lib/run/live";
import { watchRun } from "@/lib/run/runs";
import type { OnView } from "@/lib/session/location";
import { openComparison } from "@/lib/store/comparing";

interface LanesBarProps {
  /** One of several runs that began side by side. */
  live: Live;
  onView: OnView;
}

/** The runs that answer side by side: a click looks at one of them; once they are done two are a click from being compared. */
export function LanesBar({ live, onView }: LanesBarProps) {
  const { lanes, sessionId } = live;
  const going = lanes.filter(({ running }) => running).length;
  const look = (lane: Lane) => {
    if (lane.tipUid !== "") onView({ leafUid: lane.tipUid });
    // Before they have written anything all of them are at the same message.
    watchRun(sessionId, lane.number > 0 ? lane.runId : "");
  };
  const stopAll = () =>
    void api
      .stopRun(sessionId, "")
      .catch((error) => toastError(t("Could not stop the runs"), error));
  const pair = pairOf(lanes, live.run.id);
  const compare = () => pair && openComparison({ sessionId, ...pair });
  const step = () => {
    const at = lanes.findIndex(({ runId }) => runId === live.run.id);
    const next = lanes[(at + 1) % lanes.length];
    if (next) look(next);
  };
  useCommand("next-run", step);
  useCommand("stop-runs", stopAll, { enabled: going > 0 });
  return (
    <fieldset className="flex flex-wrap items-center gap-1.5 rounded-lg border border-border bg-surface px-2 py-1.5">
      <legend className="sr-only">{t("Answers side by side")}</legend>
      {lanes.map((lane) => (
        <LaneButton
          key={lane.runId}
          lane={lane}
          shown={lane.runId === live.run.id}
          onLook={() => look(lane)}
        />
      ))}
      <span className="flex-1" />
      {going > 1 && (
        <Button onClick={stopAll}>
          <Square size={12} aria-hidden="true" className="fill-current" />
          {t("Stop all")}
        </Button>
      )}
      {going === 0 && pair && (
        <Button onClick={compare}>
          <Columns2 size={14} aria-hidden="true" />
          {t("Compare")}
        </Button>
      )}
    </fieldset>
  );
}

interface LaneButtonProps {
  lane: Lane;
  shown: boolean;
  onLook: () => void;
}

function LaneButton({ lane, shown, onLook }: LaneButtonProps) {
  const { model, number, running, waits, status } = lane;
  const words = waits ? t("waits for you") : running ? t("running") : endingWord(status);
  const hint =
    number === 0 ? t("leads: the session continues from its answer") : t("beside: only reads");
  return (
    <button
      type="button"
      aria-pressed={shown}
      title={`${model} · ${hint}`}
      onClick={onLook}
      className={clsx(
        "flex h-7 max-w-64 items-center gap-1.5 rounded border px-2",
        shown ? "border-transparent bg-accent-soft" : "border-border hover:bg-sunken",
      )}
    >
      {waits && <Hand size={12} className="shrink-0 text-warn" aria-hidden="true" />}
      {running && !waits && <span aria-hidden="true" className="run-dot" />}
      <span className="truncate">{baseName(model)}</span>
      <span className={clsx("shrink-0 text-sm", waits ? "text-warn" : "text-text-3")}>
        {words ?? status}
      </span>
    </button>
  );
}

function endingWord(status: string): string | undefined {
  if (status === "success") return t("done");
  return status === "partial" ? t("stopped") : undefined;
}

/** The end that is looked at beside the next one; undefined where fewer than two have answered. */
function pairOf(lanes: readonly Lane[], runId: string) {
  const answered = lanes.filter(({ topUid }) => topUid !== "");
  const at = Math.max(
    0,
    answered.findIndex((lane) => lane.runId === runId),
  );
  const left = answered[at];
  const right = answered[(at + 1) % answered.length];
  if (!left || !right || left === right) return undefined;
  return { leftUid: left.tipUid, rightUid: right.tipUid };
}
