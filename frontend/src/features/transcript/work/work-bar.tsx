import clsx from "clsx";
import { ChevronRight } from "lucide-react";
import { Fragment } from "react";
import type { Phase, Work } from "@/lib/api/api";
import { formatCount, formatDuration } from "@/lib/format/format";
import { t, translate } from "@/lib/i18n/i18n";
import { useFold } from "../path/folds";
import type { TurnOnPath } from "../path/path-turns";
import { useTranscript } from "../scope";
import { InlineError } from "../text/inline-error";
import { PhaseCalls } from "./phase-calls";
import { useWork } from "./use-work";
import {
  amountOf,
  itemName,
  phaseWords,
  restOf,
  type Share,
  sharesOf,
  troublesOf,
  workedFor,
} from "./work-words";

/** What was done in a turn, on one line that opens to its phases. Its height is the same before the counts are loaded. */
export function WorkBar({ turn }: { turn: TurnOnPath }) {
  const { works } = useTranscript();
  const [open, toggle] = useFold(works, `work ${turn.number}`);
  const { data: work, error, refetch } = useWork(turn);
  if (error)
    return (
      <InlineError
        title={t("Could not count the steps")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  const phases = work?.phases.filter(({ calls }) => calls > 0) ?? [];
  // A model that only thought and wrote: no call to open.
  const isQuiet = work !== undefined && phases.length === 0;
  return (
    <section className={clsx("work measure", isQuiet && "quiet")} aria-label={t("Work")}>
      <Strip shares={work ? sharesOf(work) : []} />
      {isQuiet ? (
        <p className="work-line">
          <Amount work={work} />
        </p>
      ) : (
        <button type="button" aria-expanded={open} className="work-line" onClick={toggle}>
          {work && <Amount work={work} />}
          <span className="flex-1" />
          <ChevronRight
            size={14}
            aria-hidden="true"
            className={clsx("shrink-0 text-text-3", open && "rotate-90")}
          />
        </button>
      )}
      {open && phases.map((phase) => <PhaseLine key={phase.kind} turn={turn} phase={phase} />)}
    </section>
  );
}

/** "Worked 8 min 41 steps · 6 files +320 −41 · 3 failed" */
function Amount({ work }: { work: Work }) {
  return (
    <>
      <span className="shrink-0 font-semibold text-text">{workedFor(work.workedMs)}</span>
      <span className="shrink-0">{amountOf(work)}</span>
      <Change added={work.added} removed={work.removed} />
      {troublesOf(work).map(({ words, tone }) => (
        <span
          key={words}
          className={clsx("shrink-0", tone === "error" ? "text-error" : "text-warn")}
        >
          · {words}
        </span>
      ))}
      {work.compactions > 0 && <span className="shrink-0">· {t("compacted")}</span>}
    </>
  );
}

/** The shares of the phases in the working time. */
function Strip({ shares }: { shares: readonly Share[] }) {
  return (
    <div className="work-strip" aria-hidden="true">
      {shares.map(({ kind, percent }) => (
        <i key={kind} className={`phase-${kind}`} style={{ width: `${percent}%` }} />
      ))}
    </div>
  );
}

function phaseWord(kind: string): string {
  const word = phaseWords[kind];
  return word ? translate(word) : kind;
}

/** How many items a phase names. */
const named: Record<string, number> = {
  explored: 5,
  edited: 4,
  ran: 2,
  delegated: 2,
  asked: 1,
  used: 3,
  answered: 0,
};

/** What a turn did of one kind, on a line that opens to its calls. */
function PhaseLine({ turn, phase }: { turn: TurnOnPath; phase: Phase }) {
  const { folds } = useTranscript();
  const [open, toggle] = useFold(folds, `phase ${turn.number} ${phase.kind}`);
  const items = phase.items.slice(0, named[phase.kind] ?? 0);
  const rest = restOf(phase, items.length);
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        className="work-phase"
        title={phase.items.map(({ text }) => text).join("\n")}
        onClick={toggle}
      >
        <ChevronRight
          size={12}
          aria-hidden="true"
          className={clsx("shrink-0 text-text-3", open && "rotate-90")}
        />
        <span className="w-20 shrink-0 text-start font-semibold text-text">
          {phaseWord(phase.kind)}
        </span>
        <span className="min-w-0 truncate font-mono" dir="ltr">
          {items.map((item, at) => (
            <Fragment key={item.text}>
              {at > 0 && <span className="font-sans text-text-3"> · </span>}
              {itemName(item, phase.kind)}
              <ItemEnd item={item} />
            </Fragment>
          ))}
        </span>
        {rest && <span className="shrink-0">{items.length > 0 ? `· ${rest}` : rest}</span>}
        <span className="flex-1" />
        {phase.failed > 0 && (
          <span className="shrink-0 text-error">
            {t("{{count}} failed", { count: phase.failed })}
          </span>
        )}
        <span className="shrink-0 text-text-3">{formatDuration(phase.workedMs)}</span>
      </button>
      {open && <PhaseCalls turn={turn} kind={phase.kind} />}
    </>
  );
}

function ItemEnd({ item }: { item: Phase["items"][number] }) {
  return (
    <>
      {item.calls > 1 && item.added + item.removed === 0 && (
        <span className="text-text-3"> ×{formatCount(item.calls)}</span>
      )}
      {(item.added > 0 || item.removed > 0) && (
        <>
          {" "}
          <Change added={item.added} removed={item.removed} />
        </>
      )}
      {item.failed > 0 && <span className="text-error"> ✗</span>}
    </>
  );
}

/** "+320 −41" */
function Change({ added, removed }: { added: number; removed: number }) {
  if (added === 0 && removed === 0) return null;
  return (
    <span className="shrink-0">
      {added > 0 && (
        <span dir="ltr" className="text-accent">
          +{formatCount(added)}
        </span>
      )}
      {added > 0 && removed > 0 && " "}
      {removed > 0 && (
        <span dir="ltr" className="text-error">
          −{formatCount(removed)}
        </span>
      )}
    </span>
  );
}
