import { useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { TranscriptContext, type TranscriptScope } from "@/features/transcript/scope";
import { FoldLine } from "@/features/transcript/text/fold-line";
import { InlineError } from "@/features/transcript/text/inline-error";
import { DiffView } from "@/features/transcript/tools/diff-view";
import { api, type FileDiff, type FileEffect } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { plural, t } from "@/lib/i18n/i18n";
import type { Comparing } from "@/lib/store/comparing";
import { effectWords, filesWords } from "./side-words";

interface FilesPartProps {
  comparing: Comparing;
  scope: TranscriptScope;
  /** The names of the two branches. */
  names: readonly [string, string];
  open: boolean;
  onToggle: () => void;
}

const columns =
  "grid grid-cols-[12px_minmax(0,1fr)_120px_120px_110px] items-center gap-2 tight:grid-cols-[12px_minmax(0,1fr)_90px_90px]";

/** The files that each branch changed: one line that opens to them. */
export function FilesPart({ comparing, scope, names, open, onToggle }: FilesPartProps) {
  const { sessionId, leftUid, rightUid } = comparing;
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.comparison(sessionId, leftUid, rightUid), "files"],
    queryFn: () => api.compareFiles(sessionId, leftUid, rightUid),
  });
  if (error)
    return (
      <div className="border-b border-border px-6 py-1">
        <InlineError
          title={t("Could not read what each branch changed")}
          error={error}
          onRetry={() => void refetch()}
        />
      </div>
    );
  const none = data?.files.length === 0;
  return (
    <div className="border-b border-border px-4 py-1">
      <FoldLine open={open && !none} onToggle={onToggle} still={!data || none}>
        <span className={clsx("truncate", none || !data ? "text-text-3" : "text-text-2")}>
          {data ? filesWords(data) : t("Loading changed files…")}
        </span>
      </FoldLine>
      {open && data && !none && (
        <TranscriptContext value={scope}>
          <p aria-hidden="true" className={`${columns} h-6 px-3 text-sm text-text-3`}>
            <span className="col-start-3">{names[0]}</span>
            <span>{names[1]}</span>
          </p>
          <ul aria-label={t("Files changed")} className="px-2 pb-2">
            {data.files.map((file) => (
              <File key={file.path} file={file} comparing={comparing} />
            ))}
          </ul>
          {data.omitted > 0 && (
            <p className="px-2 pb-2 text-sm text-text-3">
              {plural(
                data.omitted,
                "{{count}} more file is not shown.",
                "{{count}} more files are not shown.",
              )}
            </p>
          )}
        </TranscriptContext>
      )}
    </div>
  );
}

function File({ file, comparing }: { file: FileEffect; comparing: Comparing }) {
  const [open, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className={`${columns} h-7 w-full rounded px-1 text-start text-sm hover:bg-sunken`}
      >
        <ChevronRight
          size={12}
          aria-hidden="true"
          className={clsx("text-text-3", open && "rotate-90")}
        />
        <span className="truncate font-mono" title={file.path} dir="auto">
          {file.path}
        </span>
        <EffectCell words={effectWords(file.left)} side={t("Left")} />
        <EffectCell words={effectWords(file.right)} side={t("Right")} />
        <span className="text-text-3 tight:hidden">{file.same && t("same contents")}</span>
      </button>
      {open && <FileChanges path={file.path} comparing={comparing} />}
    </li>
  );
}

function EffectCell({ words, side }: { words: string; side: string }) {
  return (
    <span className={clsx("truncate tabular-nums", words === "" ? "text-text-3" : "text-text-2")}>
      <span className="sr-only">{side}: </span>
      {words || "–"}
    </span>
  );
}

function FileChanges({ path, comparing }: { path: string; comparing: Comparing }) {
  const { sessionId, leftUid, rightUid } = comparing;
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.comparison(sessionId, leftUid, rightUid), "file", path],
    queryFn: () => api.compareFile(sessionId, leftUid, rightUid, path),
  });
  if (error)
    return (
      <InlineError
        title={t("Could not compare the file")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return null;
  if (data.known)
    return (
      <div className="pb-2 ps-5">
        {data.between.hunks.length > 0 ? (
          <>
            <p className="py-1 text-sm text-text-3">
              {t("From the left version to the right version")}
            </p>
            <DiffView diff={data.between} />
          </>
        ) : (
          <p className="py-1 text-sm text-text-3">
            {t("Both branches end with the same contents.")}
          </p>
        )}
      </div>
    );
  return (
    <div className="grid grid-cols-2 gap-3 pb-2 ps-5">
      <Changes diffs={data.left} />
      <Changes diffs={data.right} />
    </div>
  );
}

function Changes({ diffs }: { diffs: readonly FileDiff[] }) {
  return (
    <div className="min-w-0">
      {diffs.length === 0 && (
        <p className="py-1 text-sm text-text-3">{t("Not changed on this branch.")}</p>
      )}
      {diffs.map((diff, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: changes of one file have no other name
        <DiffView key={at} diff={diff} />
      ))}
    </div>
  );
}
