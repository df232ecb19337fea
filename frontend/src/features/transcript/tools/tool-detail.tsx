import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "@/components/feedback/skeleton";
import { api, type ToolDetail as Detail } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import type { Card } from "../path/plan";
import { useTranscript } from "../scope";
import { InlineError } from "../text/inline-error";
import { missingOf, Well } from "../text/well";
import { DiffView } from "./diff-view";
import { Media } from "./media";
import { ToolFields } from "./tool-fields";

/** What opens under a tool card: its arguments, what it changed, what it gave. */
export function ToolDetail({ card }: { card: Card }) {
  const { session } = useTranscript();
  const { message, block } = card;
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.tool(session.id, message.uid, block.part), block.resultUid],
    queryFn: () => api.getToolDetail(session.id, message.uid, block.part, block.resultUid),
  });
  if (error)
    return (
      <InlineError
        title={t("Could not load the details")}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  return (
    <div className="mb-2 ps-2">
      {data ? (
        <Parts detail={data} card={card} />
      ) : (
        <Skeleton className="my-2 h-16 w-full max-w-[480px]" />
      )}
    </div>
  );
}

function Parts({ detail, card: { block } }: { detail: Detail; card: Card }) {
  const { arguments: fields, diffs, result, structured } = detail;
  const failed = block.state === "failed";
  const nothing = fields.length + diffs.length + result.length === 0 && !structured.value;
  return (
    <>
      <ToolFields fields={fields} />
      {diffs.map((diff) => (
        <DiffView
          key={diff.path}
          diff={diff}
          isNamed={diffs.length === 1 && diff.path === block.target}
        />
      ))}
      {result.map((part) =>
        part.type === "media" ? (
          <Media key={part.part} block={part} />
        ) : (
          <Well
            key={part.part}
            label={failed ? t("Error") : t("Result")}
            text={part.text}
            lines={part.lines}
            sizeBytes={part.sizeBytes}
            blob={part.blob}
            missing={missingOf(part)}
            failed={failed}
          />
        ),
      )}
      {structured.value && (
        <Well label={t("Data")} text={structured.value} missing={missingOf(structured)} />
      )}
      {block.state === "missing" && (
        <p className="py-1 text-text-3">{t("No result: the call did not finish.")}</p>
      )}
      {nothing && block.state !== "missing" && (
        <p className="py-1 text-text-3">{t("No arguments and no result.")}</p>
      )}
    </>
  );
}
