import { useQuery } from "@tanstack/react-query";
import { Chip } from "@/components/form/chip";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import { api, type Facet } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { dateOf } from "@/lib/format/days";
import { baseName, formatCount, formatDate } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { t, translate } from "@/lib/i18n/i18n";
import { presets } from "./days";
import type { StatisticsView } from "./use-statistics";

interface ViewBarProps {
  view: StatisticsView;
  onChange: (part: Partial<StatisticsView>) => void;
}

/** The filters of the statistics: a range of days, a source, a workspace, a model. */
export function ViewBar({ view, onChange }: ViewBarProps) {
  const { data: facets } = useQuery({ queryKey: keys.facets(), queryFn: api.getFacets });
  return (
    <search
      aria-label={t("Filters of the statistics")}
      className="flex flex-wrap items-center gap-1.5"
    >
      {presets.map(({ name, title }) => (
        <Chip
          key={name}
          on={view.day === "" && view.preset === name}
          onClick={() => onChange({ preset: name, day: "" })}
        >
          {translate(title)}
        </Chip>
      ))}
      {view.day && (
        <Chip
          on
          removable
          title={t("Back to the days around it")}
          onClick={() => onChange({ day: "" })}
        >
          {formatDate(dateOf(view.day))}
        </Chip>
      )}
      <span aria-hidden="true" className="mx-1 h-4 w-px bg-border" />
      <Facets
        title={t("Source")}
        chosen={view.source}
        facets={facets?.sources}
        name={sourceName}
        onChoose={(source) => onChange({ source })}
      />
      <Facets
        title={t("Workspace")}
        chosen={view.workspace}
        facets={facets?.workspaces}
        name={baseName}
        detailed
        onChoose={(workspace) => onChange({ workspace })}
      />
      <Facets
        title={t("Model")}
        chosen={view.model}
        facets={facets?.models}
        onChoose={(model) => onChange({ model })}
      />
    </search>
  );
}

interface FacetsProps {
  title: string;
  chosen: string;
  facets: readonly Facet[] | undefined;
  name?: (value: string) => string;
  /** Shows the whole value under its name. */
  detailed?: boolean;
  onChoose: (value: string) => void;
}

/** The number of entries in a menu; the tables below choose the others. */
const shownFacets = 40;

function Facets({ title, chosen, facets = [], name, detailed, onChoose }: FacetsProps) {
  const entries: MenuEntry[] = facets.slice(0, shownFacets).map(({ value, count }) => ({
    title: name?.(value) ?? value,
    detail: detailed ? value : undefined,
    note: formatCount(count),
    checked: chosen === value,
    onSelect: () => onChoose(chosen === value ? "" : value),
  }));
  if (entries.length === 0) entries.push({ title: t("None yet"), disabled: true });
  if (chosen) entries.push("separator", { title: t("Any"), onSelect: () => onChoose("") });
  return (
    <Menu
      label={title}
      entries={entries}
      trigger={
        <Chip menu on={chosen !== ""} title={chosen || undefined}>
          {chosen ? (name?.(chosen) ?? chosen) : title}
        </Chip>
      }
    />
  );
}
