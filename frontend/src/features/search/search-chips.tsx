import { useQuery } from "@tanstack/react-query";
import { CaseSensitive, Regex } from "lucide-react";
import { Chip } from "@/components/form/chip";
import { Menu } from "@/components/menu/menu";
import { Tooltip } from "@/components/text/tooltip";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { type Filters, type Reading, roleChoices, sinceChoices } from "./filters";

interface SearchChipsProps {
  filters: Filters;
  onFilters: (filters: Filters) => void;
  reading: Reading;
  onReading: (reading: Reading) => void;
  byRelevance: boolean;
  onByRelevance: (byRelevance: boolean) => void;
  /** The session on screen; undefined: none. */
  session: { title: string } | undefined;
  inSession: boolean;
  onInSession: (inSession: boolean) => void;
}

/** The filters of a message search, and how its text is matched. */
export function SearchChips(props: SearchChipsProps) {
  const { filters, onFilters, reading, onReading, byRelevance, session, inSession } = props;
  const { data: facets } = useQuery({ queryKey: keys.facets(), queryFn: api.getFacets });
  const sources = [
    { value: "", title: t("Every tool") },
    ...(facets?.sources ?? []).map(({ value }) => ({ value, title: sourceName(value) })),
  ];
  const read = (next: Reading) => onReading(reading === next ? "words" : next);
  return (
    <fieldset
      aria-label={t("Narrow the search")}
      className="flex flex-wrap items-center gap-1.5 border-b border-border px-4 py-2"
      // Keys here are for the chips, not for the list of hits below.
      onKeyDown={(event) => !event.altKey && event.key !== "Escape" && event.stopPropagation()}
    >
      {session && (
        <Tooltip text={session.title} keys="Alt+S">
          <Chip on={inSession} onClick={() => props.onInSession(!inSession)}>
            {t("In this session")}
          </Chip>
        </Tooltip>
      )}
      <ChoiceChip
        label={t("Role")}
        value={filters.role}
        choices={roleChoices()}
        onChange={(role) => onFilters({ ...filters, role })}
      />
      <ChoiceChip
        label={t("From")}
        value={filters.source}
        choices={sources}
        onChange={(source) => onFilters({ ...filters, source })}
      />
      <ChoiceChip
        label={t("When")}
        value={filters.since}
        choices={sinceChoices()}
        onChange={(since) => onFilters({ ...filters, since })}
      />
      <span className="flex-1" />
      {reading === "words" && (
        <ChoiceChip
          label={t("Order")}
          value={byRelevance ? "relevance" : ""}
          choices={[
            { value: "", title: t("Newest first") },
            { value: "relevance", title: t("Best first") },
          ]}
          onChange={(order) => props.onByRelevance(order !== "")}
        />
      )}
      <Tooltip text={t("Exact text, also within words")} keys="Alt+T">
        <Chip on={reading === "text"} aria-label={t("Exact text")} onClick={() => read("text")}>
          <CaseSensitive size={14} aria-hidden="true" />
        </Chip>
      </Tooltip>
      <Tooltip text={t("Regular expression")} keys="Alt+R">
        <Chip
          on={reading === "regex"}
          aria-label={t("Regular expression")}
          onClick={() => read("regex")}
        >
          <Regex size={14} aria-hidden="true" />
        </Chip>
      </Tooltip>
    </fieldset>
  );
}

interface ChoiceChipProps {
  label: string;
  value: string;
  choices: readonly { value: string; title: string }[];
  onChange: (value: string) => void;
}

/** A filter with a few values; the first one means any. */
function ChoiceChip({ label, value, choices, onChange }: ChoiceChipProps) {
  const title = choices.find((choice) => choice.value === value)?.title ?? sourceName(value);
  return (
    <Menu
      label={label}
      trigger={
        <Chip menu on={value !== ""} aria-label={`${label}: ${title}`}>
          {title}
        </Chip>
      }
      entries={choices.map((choice) => ({
        title: choice.title,
        checked: choice.value === value,
        onSelect: () => onChange(choice.value),
      }))}
    />
  );
}
