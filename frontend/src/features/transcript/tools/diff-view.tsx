import clsx from "clsx";
import { Columns2, Copy, Rows2 } from "lucide-react";
import { Fragment, type ReactNode, useState } from "react";
import { toastDone, toastError } from "@/components/feedback/toast";
import { IconButton } from "@/components/form/icon-button";
import type { DiffLine, FileDiff } from "@/lib/api/api";
import { writeClipboard } from "@/lib/browser/clipboard";
import { formatCount, formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
import { useTranscript } from "../scope";
import { pairLines } from "./diff-pairs";

const small = "!size-[22px]";

interface DiffViewProps {
  diff: FileDiff;
  /** The line above names the file and counts its lines. */
  isNamed?: boolean;
}

/** What a call did to one file: in one column, or in two where there is room. */
export function DiffView({ diff, isNamed }: DiffViewProps) {
  const { wide } = useTranscript();
  const [chosen, setChosen] = useState<boolean>();
  // A new file has nothing to stand beside.
  const split = wide && (chosen ?? !(diff.created || diff.removed === 0));
  return (
    <DiffFigure diff={diff}>
      <header className="flex h-7 items-center gap-2 border-b border-border pe-1 ps-3 text-sm text-text-3">
        {!isNamed && <DiffPath diff={diff} />}
        {diff.created && <span className="shrink-0">{t("new")}</span>}
        <span className="flex-1" />
        {wide && (
          <IconButton
            icon={split ? Rows2 : Columns2}
            label={split ? t("One column") : t("Side by side")}
            className={small}
            onClick={() => setChosen(!split)}
          />
        )}
        <IconButton
          icon={Copy}
          label={t("Copy as a patch")}
          className={small}
          onClick={() => void copyPatch(diff)}
        />
      </header>
      <DiffTable diff={diff} split={split} />
      {diff.omitted > 0 && (
        <p className="border-t border-border px-3 py-1 text-sm text-text-3">
          {plural(
            diff.omitted,
            "{{count}} more line not shown.",
            "{{count}} more lines not shown.",
          )}
        </p>
      )}
    </DiffFigure>
  );
}

interface DiffPreviewProps extends DiffViewProps {
  onOpen: () => void;
}

/** The beginning of what a call did to one file, in one column; a short change is whole. */
export function DiffPreview({ diff, isNamed, onOpen }: DiffPreviewProps) {
  return (
    <DiffFigure diff={diff}>
      {!isNamed && (
        <header className="flex h-6 items-center gap-2 border-b border-border px-3 text-sm text-text-3">
          <DiffPath diff={diff} />
        </header>
      )}
      {diff.hunks.length > 0 && <DiffTable diff={diff} split={false} />}
      {diff.omitted > 0 && (
        <p className="border-t border-border">
          <button type="button" className="preview-more" onClick={onOpen}>
            {formatPlural(diff.omitted, "more line")}
          </button>
        </p>
      )}
    </DiffFigure>
  );
}

function DiffFigure({ diff, children }: { diff: FileDiff; children: ReactNode }) {
  return (
    <figure
      aria-label={t("Changes to {{path}}", { path: diff.path })}
      className="my-1 overflow-hidden rounded border border-border bg-sunken"
    >
      {children}
    </figure>
  );
}

function DiffPath({ diff }: { diff: FileDiff }) {
  return (
    <>
      <span className="selectable min-w-0 truncate font-mono text-text-2" title={diff.path}>
        {diff.path}
      </span>
      <span dir="ltr" className="shrink-0 text-accent">
        +{formatCount(diff.added)}
      </span>
      <span dir="ltr" className="shrink-0 text-error">
        −{formatCount(diff.removed)}
      </span>
    </>
  );
}

function DiffTable({ diff, split }: { diff: FileDiff; split: boolean }) {
  const Columns = split ? Split : Unified;
  // Without numbers, such as of a piece of a file, the columns for them are empty.
  const numbered = diff.hunks.some(({ lines }) => lines.some((l) => l.oldLine + l.newLine > 0));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label={t("Changed lines")}
      dir="ltr"
      className="selectable overflow-x-auto outline-offset-[-2px]"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus
      tabIndex={0}
    >
      <table className={clsx("diff", !numbered && "unnumbered")}>
        <tbody>
          {diff.hunks.map((hunk, at) => (
            // A diff does not change while it is shown.
            // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other name
            <Fragment key={at}>
              {at > 0 && (
                <tr className="gap">
                  <td colSpan={split ? 4 : 3}>
                    <span className="sr-only">{t("Lines left out")}</span>
                  </td>
                </tr>
              )}
              <Columns lines={hunk.lines} />
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const looks: Record<string, string | undefined> = { "+": "add", "-": "del" };

function Unified({ lines }: { lines: readonly DiffLine[] }) {
  return lines.map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <tr key={at} className={looks[line.op]}>
      <LineNumber at={line.oldLine} />
      <LineNumber at={line.newLine} />
      <Code line={line} />
    </tr>
  ));
}

function Split({ lines }: { lines: readonly DiffLine[] }) {
  return pairLines(lines).map(({ before, after }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
    <tr key={at}>
      <LineNumber at={before?.oldLine ?? 0} look={before && looks[before.op]} />
      <Code line={before} look={before && looks[before.op]} half />
      <LineNumber at={after?.newLine ?? 0} look={after && looks[after.op]} />
      <Code line={after} look={after && looks[after.op]} half />
    </tr>
  ));
}

function LineNumber({ at, look = "" }: { at: number; look?: string }) {
  return <td className={`number ${look}`}>{at > 0 ? at : ""}</td>;
}

interface CodeProps {
  line: DiffLine | undefined;
  look?: string;
  half?: boolean;
}

function Code({ line, look = "", half }: CodeProps) {
  if (!line) return <td className="void" />;
  const sign = line.op === "-" ? "−" : line.op === "+" ? "+" : "";
  return (
    <td className={`${look} ${half ? "half" : ""}`}>
      <span className="sign" aria-hidden="true">
        {sign}
      </span>
      <span
        // biome-ignore lint/security/noDangerouslySetInnerHtml: backend/render has highlighted and escaped it
        dangerouslySetInnerHTML={{ __html: line.html }}
      />
    </td>
  );
}

async function copyPatch({ path, hunks }: FileDiff) {
  const lines = hunks.flatMap((hunk) => hunk.lines.map(({ op, text }) => `${op}${text}`));
  const patch = [`--- ${path}`, `+++ ${path}`, ...lines, ""].join("\n");
  if (await writeClipboard(patch)) toastDone(t("Copied the changes"));
  else toastError(t("Could not copy"), t("the window does not allow it"));
}
