import { useVirtualizer } from "@tanstack/react-virtual";
import { ALargeSmall, ArrowLeftRight, Columns2, GitMerge, X } from "lucide-react";
import {
  type Dispatch,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  type SetStateAction,
  useEffect,
  useRef,
  useState,
} from "react";
import { ErrorState } from "@/components/feedback/error-state";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { IconButton } from "@/components/form/icon-button";
import { Menu } from "@/components/menu/menu";
import { SkeletonRow } from "@/features/transcript/column/skeleton-row";
import { api, type Comparison, type Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { commandSpec, runCommand, runKey, useCommand } from "@/lib/keys/commands";
import { isTextField } from "@/lib/keys/keys";
import type { OnView } from "@/lib/session/location";
import { type Comparing, changeComparison } from "@/lib/store/comparing";
import { compose } from "@/lib/store/compose";
import "@/features/transcript/transcript.css";
import { CompareRow } from "./compare-row";
import { FilesPart } from "./files-part";
import { type MergePlace, mergePrompt } from "./merge";
import { SharedPart } from "./shared-part";
import { SideHeader } from "./side-header";
import { useComparison } from "./use-comparison";
import { useContinue, useScope } from "./use-scopes";

interface CompareProps {
  session: Session;
  comparing: Comparing;
  onClose: () => void;
  /** Shows a position of the transcript instead. */
  onView: OnView;
}

/** Rows before the first turns: the shared part, and the files. */
const parts = 2;
/** A row of turns before it is measured. */
const estimated = 360;

/** Two branches side by side: their shared part folded, then turn by turn, with the cost and the changes of each. */
export function Compare({ session, comparing, onClose, onView }: CompareProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const [openParts, setOpenParts] = useState<readonly number[]>([]);
  const [words, setWords] = useState<Words>({ all: false, others: new Set() });
  const { comparison, error, retry, row } = useComparison(comparing, seen.first, seen.last);
  const { leftUid, rightUid } = comparing;

  const scopes = {
    left: useScope(session, leftUid, (uid) => changeComparison(comparing, { leftUid: uid })),
    right: useScope(session, rightUid, (uid) => changeComparison(comparing, { rightUid: uid })),
  };
  const { continueFrom, choose, merge, swap } = useCompareActions(
    { session, comparing, onClose, onView },
    comparison,
  );
  const toggleWords = () => setWords(({ all }) => ({ all: !all, others: new Set() }));

  const virtualizer = useRows(scroller, parts + (comparison?.rowCount ?? 0), setSeen);
  useFocusHere(scroller);
  useCompareCommands({ toggleWords, swap, onClose });

  function onKeyDown(event: KeyboardEvent) {
    if (event.defaultPrevented || isTextField(event.target)) return;
    if (event.key !== "Escape") return void runKey(event.nativeEvent, "compare");
    event.preventDefault();
    onClose();
  }

  const toggleRow = (index: number) =>
    setWords(({ all, others }) => {
      const next = new Set(others);
      if (!next.delete(index)) next.add(index);
      return { all, others: next };
    });
  function renderRow(index: number) {
    const pair = row(index);
    if (!pair) return <SkeletonRow />;
    return (
      <CompareRow
        comparing={comparing}
        row={pair}
        scopes={scopes}
        words={words.all !== words.others.has(index)}
        onWords={() => toggleRow(index)}
      />
    );
  }

  return (
    <section
      aria-label={t("Two branches side by side")}
      className="transcript flex h-full min-h-0 animate-appear flex-col bg-surface"
      onKeyDown={onKeyDown}
    >
      <CompareHeader
        session={session}
        comparison={comparison}
        words={words.all}
        {...{ toggleWords, swap, merge, onClose }}
      />
      {error && (
        <ErrorState title={t("Could not compare the branches")} error={error} onRetry={retry} />
      )}
      {comparison && !error && (
        <div className="grid shrink-0 grid-cols-2 border-b border-border bg-bg">
          {(["left", "right"] as const).map((name) => (
            <SideHeader
              key={name}
              name={name}
              comparison={comparison}
              isHead={comparison[name].leafUid === session.headUid}
              onContinue={() => continueFrom(name)}
              onChoose={(uid) => void choose(`${name}Uid`, uid)}
            />
          ))}
        </div>
      )}
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
        tabIndex={0}
        role="feed"
        aria-label={t("Turns side by side")}
        aria-busy={!comparison}
        hidden={error !== null}
        data-pane-focus=""
        className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto -outline-offset-2 [overflow-anchor:none]"
      >
        {comparison && (
          <Rows virtualizer={virtualizer} rowCount={comparison.rowCount}>
            {(index) =>
              index < parts ? (
                <Preamble
                  part={index}
                  {...{ comparison, comparing, scope: scopes.left }}
                  open={openParts.includes(index)}
                  onToggle={() => setOpenParts((now) => toggled(now, index))}
                />
              ) : (
                renderRow(index - parts)
              )
            }
          </Rows>
        )}
      </div>
    </section>
  );
}

/** Focuses the comparison when it opens and, if it had the focus, the transcript when it closes. */
function useFocusHere(scroller: RefObject<HTMLDivElement | null>) {
  useEffect(() => {
    scroller.current?.focus();
    return () => {
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) runCommand("focus-transcript");
      });
    };
  }, [scroller]);
}

/** What the comparison does to the session and to the view. */
function useCompareActions(
  { session, comparing, onClose, onView }: CompareProps,
  comparison: Comparison | undefined,
) {
  const { leftUid, rightUid } = comparing;
  const view: OnView = (place) => {
    onClose();
    onView(place);
  };
  const moveHead = useContinue(session, view);
  const continueFrom = (name: "left" | "right") => {
    const side = comparison?.[name];
    if (!side) return;
    if (side.leafUid === session.headUid) view({ leafUid: side.leafUid });
    else moveHead(side.leafUid);
  };
  const choose = (name: "leftUid" | "rightUid", uid: string) =>
    api
      .locate(session.id, uid)
      .then(({ leafUid }) => changeComparison(comparing, { [name]: leafUid }))
      .catch((reason) => toastError(t("Could not show the branch"), reason));
  const merge = (place: MergePlace) => {
    if (!comparison) return;
    mergePrompt(comparison, place)
      .then((request) => {
        view({ leafUid: request.fromUid, focusUid: request.fromUid });
        compose(request);
      })
      .catch((reason) => toastError(t("Could not prepare the merge"), reason));
  };
  const swap = () => changeComparison(comparing, { leftUid: rightUid, rightUid: leftUid });
  return { continueFrom, choose, merge, swap };
}

interface Seen {
  first: number;
  last: number;
}

/** Decides which rows are drawn, and reports the turns among them. */
function useRows(
  scroller: RefObject<HTMLDivElement | null>,
  count: number,
  onSeen: Dispatch<SetStateAction<Seen>>,
) {
  return useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (index < parts ? 37 : estimated),
    overscan: 1,
    getItemKey: (index) => index,
    onChange: ({ range }) => {
      if (!range) return;
      const first = Math.max(0, range.startIndex - parts - 1);
      const last = Math.max(0, range.endIndex - parts + 1);
      onSeen((now) => (now.first === first && now.last === last ? now : { first, last }));
    },
  });
}

interface RowsProps {
  virtualizer: ReturnType<typeof useRows>;
  rowCount: number;
  children: (index: number) => ReactNode;
}

function Rows({ virtualizer, rowCount, children }: RowsProps) {
  return (
    <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          ref={virtualizer.measureElement}
          data-index={index}
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start}px)` }}
        >
          {index < parts ? (
            children(index)
          ) : (
            <article
              aria-posinset={index - parts + 1}
              aria-setsize={rowCount}
              aria-label={t("Turn {{number}}", { number: index - parts + 1 })}
              className="border-b border-border"
            >
              {children(index)}
            </article>
          )}
        </div>
      ))}
    </div>
  );
}

interface CompareHeaderProps {
  session: Session;
  comparison: Comparison | undefined;
  /** The words of all turns are compared. */
  words: boolean;
  toggleWords: () => void;
  swap: () => void;
  merge: (place: MergePlace) => void;
  onClose: () => void;
}

function CompareHeader({ session, comparison, words, ...on }: CompareHeaderProps) {
  const { toggleWords, swap, merge, onClose } = on;
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-border px-6">
      <Columns2 size={16} className="shrink-0 text-text-3" aria-hidden="true" />
      <h2 className="shrink-0 font-semibold">{t("Compare")}</h2>
      <p className="min-w-0 truncate text-text-3" dir="auto" title={session.title}>
        {session.title}
      </p>
      <span className="flex-1" />
      <IconButton
        icon={ALargeSmall}
        label={commandSpec("compare-words").title}
        keys={commandSpec("compare-words").keys[0]}
        aria-pressed={words}
        onClick={toggleWords}
      />
      <IconButton
        icon={ArrowLeftRight}
        label={commandSpec("compare-swap").title}
        keys={commandSpec("compare-swap").keys[0]}
        onClick={swap}
      />
      <MergeMenu comparison={comparison} onMerge={merge} />
      <IconButton icon={X} label={t("Back to the transcript")} keys="Escape" onClick={onClose} />
    </header>
  );
}

interface PreambleProps {
  part: number;
  comparison: Comparison;
  comparing: Comparing;
  scope: ReturnType<typeof useScope>;
  open: boolean;
  onToggle: () => void;
}

/** What precedes the turns: the shared part of the branches, and their files. */
function Preamble({ part, comparison, comparing, scope, ...fold }: PreambleProps) {
  if (part === 0)
    return (
      <article aria-label={t("Shared messages")}>
        <SharedPart comparison={comparison} scope={scope} {...fold} />
      </article>
    );
  return (
    <article aria-label={t("Files")}>
      <FilesPart comparing={comparing} scope={scope} names={[t("Left"), t("Right")]} {...fold} />
    </article>
  );
}

function toggled(all: readonly number[], one: number): number[] {
  return all.includes(one) ? all.filter((other) => other !== one) : [...all, one];
}

/** Which rows compare words: all or none, with exceptions. */
interface Words {
  all: boolean;
  others: ReadonlySet<number>;
}

interface MergeMenuProps {
  comparison: Comparison | undefined;
  onMerge: (place: MergePlace) => void;
}

function MergeMenu({ comparison, onMerge }: MergeMenuProps) {
  return (
    <Menu
      align="end"
      label={t("Merge")}
      trigger={
        <Button disabled={!comparison}>
          <GitMerge size={14} aria-hidden="true" />
          {t("Merge…")}
        </Button>
      }
      entries={[
        { title: t("Write a prompt that cites both"), heading: true },
        {
          title: t("Continue the left branch"),
          detail: t("The model sees the left branch, and the last answer of the right branch"),
          onSelect: () => onMerge("left"),
        },
        {
          title: t("Continue the right branch"),
          detail: t("The model sees the right branch, and the last answer of the left branch"),
          onSelect: () => onMerge("right"),
        },
        {
          title: t("Continue from the fork"),
          detail: t("The model sees the shared messages and the last answer of each branch"),
          disabled: !comparison?.ancestorUid,
          onSelect: () => onMerge("fork"),
        },
      ]}
    />
  );
}

interface CompareCommands {
  toggleWords: () => void;
  swap: () => void;
  onClose: () => void;
}

function useCompareCommands({ toggleWords, swap, onClose }: CompareCommands) {
  useCommand("compare-words", toggleWords);
  useCommand("compare-swap", swap);
  useCommand("compare", onClose, {
    title: t("Back to the transcript"),
  });
}
