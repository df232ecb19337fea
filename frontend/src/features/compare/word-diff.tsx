import { useQuery } from "@tanstack/react-query";
import { SkeletonRow } from "@/features/transcript/column/skeleton-row";
import { InlineError } from "@/features/transcript/text/inline-error";
import { api, type Pair, type Span } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import type { Comparing } from "@/lib/store/comparing";

interface WordDiffViewProps {
  comparing: Comparing;
  row: Pair;
}

/** The texts of two turns, with the words marked that the other one lacks. */
export function WordDiffView({ comparing, row }: WordDiffViewProps) {
  const { sessionId, leftUid, rightUid } = comparing;
  const { left, right } = row;
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.comparison(sessionId, leftUid, rightUid), "words", left.from, right.from],
    queryFn: () =>
      api.compareWords(
        sessionId,
        { leafUid: leftUid, from: left.from, messages: left.messages },
        { leafUid: rightUid, from: right.from, messages: right.messages },
      ),
  });
  if (error)
    return (
      <div className="px-6 pb-3">
        <InlineError
          title={t("Could not compare the words")}
          error={error}
          onRetry={() => void refetch()}
        />
      </div>
    );
  if (!data)
    return (
      <div className="px-6">
        <SkeletonRow />
      </div>
    );
  return (
    <>
      <div className="grid grid-cols-2">
        <Words spans={data.left} side="left" />
        <Words spans={data.right} side="right" />
      </div>
      <p className="relative mx-auto mb-3 w-fit rounded-full border border-border bg-surface px-2.5 py-px text-sm text-text-3">
        {likeness(data.same)}
        {data.cut && t(" · only the first part is compared")}
      </p>
    </>
  );
}

function likeness(same: number): string {
  if (same === 100) return t("The same words");
  if (same === 0) return t("No words in common");
  return t("{{percent}} % of the words are the same", { percent: same });
}

const looks = {
  left: "bg-diff-del decoration-error/60",
  right: "bg-diff-add decoration-accent/60",
};

function Words({ spans, side }: { spans: readonly Span[]; side: "left" | "right" }) {
  const Mark = side === "left" ? "del" : "ins";
  return (
    <p
      dir="auto"
      className="selectable min-w-0 border-border px-6 pt-1 pb-3 text-xl whitespace-pre-wrap [overflow-wrap:anywhere] first:border-e"
    >
      {spans.length === 0 && <span className="text-text-3">{t("No text.")}</span>}
      {spans.map(({ text, changed }, at) =>
        changed ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and never move
          <Mark key={at} className={`rounded-sm underline underline-offset-4 ${looks[side]}`}>
            {text}
          </Mark>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name, and never move
          <span key={at}>{text}</span>
        ),
      )}
    </p>
  );
}
