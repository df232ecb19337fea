import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { TextField } from "@/components/form/field";
import { api, type ExportRequest, type Redacted } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { formatInteger } from "@/lib/i18n/intl";

interface RedactionProps {
  /** What would be exported; undefined until it is known. */
  request: ExportRequest | undefined;
  onWords: (words: string[]) => void;
  onKeep: (ids: string[]) => void;
}

/** The user's own words to redact, and on request a list of all that is replaced, to choose from. */
export function Redaction({ request, onWords, onKeep }: RedactionProps) {
  const [text, setText] = useState(request?.words.join(", ") ?? "");
  const [isShown, setShown] = useState(false);
  const { keep = [], ...rest } = request ?? {};
  const preview = useQuery({
    queryKey: ["redaction", rest],
    queryFn: () => (request ? api.previewRedaction({ ...request, keep: [] }) : []),
    enabled: isShown && request !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const change = (id: string, isReplaced: boolean) =>
    onKeep(isReplaced ? keep.filter((one) => one !== id) : [...keep, id]);
  return (
    <div className="flex flex-col gap-3 ps-6">
      <TextField
        label={t("Own words, separated by commas")}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => onWords(wordsOf(text))}
      />
      {!isShown && (
        <Button className="self-start" onClick={() => setShown(true)}>
          {t("Preview what is replaced")}
        </Button>
      )}
      {isShown && preview.isPending && <p className="text-text-3">{t("Looking for secrets…")}</p>}
      {isShown && preview.error && <p className="text-error">{preview.error.message}</p>}
      {isShown && preview.data && <Found found={preview.data} keep={keep} onChange={change} />}
    </div>
  );
}

function wordsOf(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}

interface FoundProps {
  found: readonly Redacted[];
  keep: readonly string[];
  onChange: (id: string, isReplaced: boolean) => void;
}

/** Each value once, in its context. What is not ticked stays. */
function Found({ found, keep, onChange }: FoundProps) {
  if (found.length === 0) {
    return <p className="text-text-3">{t("Nothing that is replaced was found.")}</p>;
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm text-text-3">{t("What is replaced")}</legend>
      <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded border border-border p-3 wrap-anywhere">
        {found.map(({ id, value, count, before, after }) => (
          <Checkbox
            key={id}
            title={`${value} × ${formatInteger(count)}`}
            text={`${before}${value}${after}`}
            checked={!keep.includes(id)}
            onChange={(isReplaced) => onChange(id, isReplaced)}
          />
        ))}
      </div>
    </fieldset>
  );
}
