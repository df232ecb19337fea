import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { TextField } from "@/components/form/field";
import { api, type ExportRequest, type Redacted } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { plural, t } from "@/lib/i18n/i18n";
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
  return (
    <div className="flex flex-col gap-3 ps-6.5">
      <TextField
        label={t("Own words, separated by commas")}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => onWords(wordsOf(text))}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault(); // the words are part of what is exported
          onWords(wordsOf(text));
        }}
      />
      {!isShown && (
        <Button className="self-start" onClick={() => setShown(true)}>
          {t("Preview what is replaced")}
        </Button>
      )}
      {isShown && preview.isPending && <p className="text-text-3">{t("Looking for secrets…")}</p>}
      {isShown && preview.error && <p className="text-error">{preview.error.message}</p>}
      {isShown && preview.data && <Found found={preview.data} keep={keep} onKeep={onKeep} />}
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
  onKeep: (ids: string[]) => void;
}

/** Each value once, by kind, with the places that it occurs in. What is not ticked stays. */
function Found({ found, keep, onKeep }: FoundProps) {
  if (found.length === 0) {
    return <p className="text-text-3">{t("Nothing that is replaced was found.")}</p>;
  }
  return (
    <div className="flex max-h-64 flex-col gap-4 overflow-y-auto rounded border border-border p-3 wrap-anywhere">
      {kinds().map(({ kind, title }) => {
        const values = found.filter((one) => one.kind === kind);
        return (
          values.length > 0 && (
            <Values key={kind} title={title} values={values} keep={keep} onKeep={onKeep} />
          )
        );
      })}
    </div>
  );
}

const kinds = () => [
  { kind: "secret", title: t("Keys and passwords") },
  { kind: "email", title: t("E-mail addresses") },
  { kind: "home", title: t("Home folders") },
  { kind: "word", title: t("Own words") },
];

interface ValuesProps {
  title: string;
  values: readonly Redacted[];
  keep: readonly string[];
  onKeep: (ids: string[]) => void;
}

/** The values of a kind; one button ticks all of them or none. */
function Values({ title, values, keep, onKeep }: ValuesProps) {
  const ids = values.map(({ id }) => id);
  const others = keep.filter((id) => !ids.includes(id));
  const isReplaced = ids.some((id) => !keep.includes(id));
  return (
    <fieldset>
      <legend className="mb-1.5 flex w-full items-center justify-between gap-2 text-sm text-text-3">
        {title} · {formatInteger(values.length)}
        {values.length > 1 && (
          <Button variant="quiet" onClick={() => onKeep(isReplaced ? [...others, ...ids] : others)}>
            {isReplaced ? t("Replace none") : t("Replace all")}
          </Button>
        )}
      </legend>
      <div className="flex flex-col gap-2">
        {values.map((one) => (
          <div key={one.id} className="flex flex-col gap-0.5">
            <Checkbox
              title={one.value}
              text={formatPlural(one.count, "place")}
              checked={!keep.includes(one.id)}
              onChange={(isReplaced) =>
                onKeep(isReplaced ? keep.filter((id) => id !== one.id) : [...keep, one.id])
              }
            />
            <Places of={one} />
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** So many places of a value are shown at first. */
const firstPlaces = 3;

/** The text around a value, wherever it occurs. */
function Places({ of: { value, count, places } }: { of: Redacted }) {
  const [shown, setShown] = useState(firstPlaces);
  const more = Math.min(places.length, count) - shown;
  const beyond = count - places.length;
  return (
    <ul className="ps-6.5 text-sm text-text-2">
      {places.slice(0, shown).map(({ before, after }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places do not change
        <li key={at}>
          {before}
          <mark className="rounded-sm bg-accent-soft px-0.5 text-text">{value}</mark>
          {after}
        </li>
      ))}
      {more > 0 && (
        <li>
          <button
            type="button"
            className="underline decoration-border-strong underline-offset-2"
            onClick={() => setShown(places.length)}
          >
            {plural(more, "Show {{count}} more place", "Show {{count}} more places")}
          </button>
        </li>
      )}
      {more <= 0 && beyond > 0 && (
        <li>{plural(beyond, "and {{count}} more place", "and {{count}} more places")}</li>
      )}
    </ul>
  );
}
