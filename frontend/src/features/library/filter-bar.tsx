import { ArrowDownUp, House, ListFilter, X } from "lucide-react";
import { useId, useRef } from "react";
import { Chip } from "@/components/form/chip";
import { IconButton } from "@/components/form/icon-button";
import { Menu } from "@/components/menu/menu";
import type { MenuEntry } from "@/components/menu/menu-entry";
import type { Facet, Facets } from "@/lib/api/api";
import { dayOf, plusDays, type Range } from "@/lib/format/days";
import { baseName, formatCount } from "@/lib/format/format";
import { sourceName, statusWord } from "@/lib/format/sources";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import { commandSpec, runCommand } from "@/lib/keys/commands";
import { FileSuggestions, typedFile } from "./file-suggestions";
import { daysWords, isNarrowed, type LibraryFilter, noFilter, type Shelf } from "./filters";

interface FilterBarProps {
  filter: LibraryFilter;
  facets: Facets | undefined;
  onChange: (part: Partial<LibraryFilter>) => void;
}

const sorts = [
  ["updated", msg("Last changed")],
  ["created", msg("Created")],
  ["title", msg("Title")],
  ["messages", msg("Messages")],
  ["branches", msg("Branches")],
  ["cost", msg("Cost")],
] as const;

const groups = [
  ["day", msg("Day")],
  ["project", msg("Project")],
  ["tag", msg("Tag")],
] as const;

/** The filters and the sort order of the library. */
export function FilterBar({ filter, facets, onChange }: FilterBarProps) {
  const field = useRef<HTMLInputElement>(null);
  const names = useId();
  const askForFile = () => {
    onChange({ query: `${filter.query.trimEnd()} file:`.trimStart() });
    // The field gets the focus after the menu has returned it.
    requestAnimationFrame(() => field.current?.focus());
  };
  return (
    <search
      aria-label={t("Filters of the library")}
      className="flex flex-col gap-2 px-3 pt-2.5 pb-2"
    >
      <div className="flex items-center gap-1">
        <IconButton
          icon={House}
          label={commandSpec("home").title}
          command="home"
          className="-ms-1"
          onClick={() => runCommand("home")}
        />
        <div className="relative min-w-0 flex-1">
          <ListFilter
            size={14}
            className="pointer-events-none absolute top-[7px] start-2.5 text-text-3"
            aria-hidden="true"
          />
          <input
            ref={field}
            type="text"
            list={typedFile(filter.query) && names}
            aria-label={t("Filter sessions by title, workspace or id")}
            placeholder={t("Filter sessions")}
            value={filter.query}
            onChange={(event) => onChange({ query: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== "Escape" || filter.query === "") return;
              event.preventDefault();
              onChange({ query: "" });
            }}
            className="h-7 w-full rounded border border-border bg-surface pe-7 ps-8 hover:border-border-strong"
          />
          <FileSuggestions id={names} query={filter.query} />
          {filter.query !== "" && (
            <IconButton
              icon={X}
              label={t("Clear the filter")}
              keys="Escape"
              className="absolute top-0.5 end-0.5 size-6"
              onClick={() => {
                onChange({ query: "" });
                field.current?.focus();
              }}
            />
          )}
        </div>
        <Menu
          align="end"
          label={t("Order of the sessions")}
          trigger={<IconButton icon={ArrowDownUp} label={t("Order")} />}
          entries={[
            { title: t("Group by"), heading: true },
            ...groups.map(([group, title]) => ({
              title: translate(title),
              checked: filter.group === group,
              onSelect: () => onChange({ group }),
            })),
            { title: t("Order by"), heading: true },
            ...sorts.map(([sort, title]) => ({
              title: translate(title),
              checked: filter.group === "day" && filter.sort === sort,
              onSelect: () => onChange({ sort, group: "day" }),
            })),
          ]}
        />
      </div>
      <div className="flex flex-wrap gap-1.5">
        <ShelfChips filter={filter} facets={facets} onChange={onChange} />
        <FacetChip
          title={t("Source")}
          chosen={filter.sources}
          facets={facets?.sources}
          name={sourceName}
          onChoose={(sources) => onChange({ sources })}
        />
        <FacetChip
          title={t("Project")}
          chosen={filter.project ? [filter.project] : []}
          facets={facets?.projects}
          onChoose={(chosen) => onChange({ project: chosen.at(-1) ?? "" })}
        />
        <MoreChip filter={filter} facets={facets} onChange={onChange} onFile={askForFile} />
        <ActiveChips filter={filter} onChange={onChange} />
      </div>
    </search>
  );
}

const shelves: { shelf: Shelf; title: Message; count: (facets: Facets) => number }[] = [
  { shelf: "all", title: msg("All"), count: (facets) => facets.total },
  { shelf: "unfinished", title: msg("Unfinished"), count: (facets) => facets.incomplete },
  { shelf: "pinned", title: msg("Pinned"), count: (facets) => facets.pinned },
  { shelf: "archived", title: msg("Archived"), count: (facets) => facets.archived },
  { shelf: "trash", title: msg("Trash"), count: (facets) => facets.trash },
];
const alwaysShown: readonly Shelf[] = ["all", "unfinished", "pinned"];

function ShelfChips({ filter, facets, onChange }: FilterBarProps) {
  return shelves
    .filter(({ shelf }) => alwaysShown.includes(shelf) || shelf === filter.shelf)
    .map(({ shelf, title, count }) => (
      <Chip
        key={shelf}
        on={filter.shelf === shelf}
        onClick={() => onChange({ shelf, parent: null })}
      >
        {facets && count(facets) > 0
          ? `${translate(title)} ${formatCount(count(facets))}`
          : translate(title)}
      </Chip>
    ));
}

interface FacetMenuProps {
  title: string;
  chosen: readonly string[];
  facets: readonly Facet[] | undefined;
  name?: (value: string) => string;
  /** Shows the whole value under its name. */
  detailed?: boolean;
  onChoose: (chosen: string[]) => void;
}

/** The number of entries in a menu; the field above finds the others. */
const shownFacets = 40;

function facetEntries({ chosen, facets, name, detailed, onChoose }: FacetMenuProps): MenuEntry[] {
  if (!facets || facets.length === 0) return [{ title: t("None yet"), disabled: true }];
  const entries: MenuEntry[] = facets.slice(0, shownFacets).map(({ value, count }) => ({
    title: name?.(value) ?? value,
    detail: detailed ? value : undefined,
    note: formatCount(count),
    checked: chosen.includes(value),
    onSelect: () =>
      onChoose(
        chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value],
      ),
  }));
  if (chosen.length > 0)
    entries.push("separator", { title: t("Any"), onSelect: () => onChoose([]) });
  return entries;
}

function FacetChip(props: FacetMenuProps) {
  const { title, chosen, name } = props;
  const [only] = chosen;
  const words =
    chosen.length > 1 ? `${title}: ${chosen.length}` : only ? (name?.(only) ?? only) : title;
  return (
    <Menu
      label={title}
      entries={facetEntries(props)}
      trigger={
        <Chip menu on={chosen.length > 0} title={only && chosen.length === 1 ? only : undefined}>
          {words}
        </Chip>
      }
    />
  );
}

interface MoreChipProps extends FilterBarProps {
  /** Lets the user type the name of a changed file. */
  onFile: () => void;
}

function MoreChip({ filter, facets, onChange, onFile }: MoreChipProps) {
  const entries: MenuEntry[] = [
    {
      title: t("Status"),
      entries: facetEntries({
        title: t("Status"),
        chosen: filter.statuses,
        facets: facets?.statuses,
        name: statusWord,
        onChoose: (statuses) => onChange({ statuses }),
      }),
    },
    {
      title: t("Model"),
      entries: facetEntries({
        title: t("Model"),
        chosen: filter.model ? [filter.model] : [],
        facets: facets?.models,
        onChoose: (chosen) => onChange({ model: chosen.at(-1) ?? "" }),
      }),
    },
    {
      title: t("Workspace"),
      entries: facetEntries({
        title: t("Workspace"),
        chosen: filter.workspace ? [filter.workspace] : [],
        facets: facets?.workspaces,
        name: baseName,
        detailed: true,
        onChoose: (chosen) => onChange({ workspace: chosen.at(-1) ?? "" }),
      }),
    },
    {
      title: t("Tag"),
      entries: facetEntries({
        title: t("Tag"),
        chosen: filter.tag ? [filter.tag] : [],
        facets: facets?.tags.map(({ name, count }) => ({ value: name, count })),
        onChoose: (chosen) => onChange({ tag: chosen.at(-1) ?? "" }),
      }),
    },
    {
      title: t("Changed"),
      entries: ranges().map(([title, days]) => ({
        title,
        checked: JSON.stringify(filter.days) === JSON.stringify(days),
        onSelect: () => onChange({ days }),
      })),
    },
    { title: t("Changed file…"), onSelect: onFile },
    {
      title: t("With several branches"),
      checked: filter.branched,
      onSelect: () => onChange({ branched: !filter.branched }),
    },
    {
      title: t("With errors"),
      checked: filter.errors,
      onSelect: () => onChange({ errors: !filter.errors }),
    },
    {
      title: t("Label"),
      entries: facetEntries({
        title: t("Label"),
        chosen: filter.label ? [filter.label] : [],
        facets: facets?.labels,
        onChoose: (chosen) => onChange({ label: chosen.at(-1) ?? "" }),
      }),
    },
    "separator",
    ...shelves
      .filter(({ shelf }) => !alwaysShown.includes(shelf))
      .map(({ shelf, title, count }) => ({
        title: translate(title),
        note: facets ? formatCount(count(facets)) : undefined,
        onSelect: () => onChange({ shelf, parent: null }),
      })),
  ];
  if (isNarrowed(filter)) {
    const { shelf, sort, group } = filter;
    entries.push("separator", {
      title: t("Clear all filters"),
      onSelect: () => onChange({ ...noFilter, shelf, sort, group }),
    });
  }
  return (
    <Menu label={t("More filters")} entries={entries} trigger={<Chip menu>{t("More")}</Chip>} />
  );
}

/** The ranges of days that a menu offers, up to today. */
function ranges(): [string, Range | null][] {
  const today = dayOf(new Date());
  const last = (days: number): Range => ({ since: plusDays(today, 1 - days), until: "" });
  return [
    [t("Any time"), null],
    [t("Today"), last(1)],
    [t("Last 7 days"), last(7)],
    [t("Last 30 days"), last(30)],
    [t("Last 90 days"), last(90)],
  ];
}

function ActiveChips({ filter, onChange }: Omit<FilterBarProps, "facets">) {
  const { statuses, model, label, days, parent, workspace, tag } = filter;
  const active: [string, Partial<LibraryFilter>][] = [];
  if (days) active.push([daysWords(days), { days: null }]);
  if (statuses.length > 0) active.push([statuses.map(statusWord).join(", "), { statuses: [] }]);
  if (model) active.push([model, { model: "" }]);
  if (workspace) active.push([baseName(workspace), { workspace: "" }]);
  if (tag) active.push([t("Tag: {{tag}}", { tag }), { tag: "" }]);
  if (filter.branched) active.push([t("Several branches"), { branched: false }]);
  if (filter.errors) active.push([t("Errors"), { errors: false }]);
  if (label) active.push([t("Label: {{label}}", { label }), { label: "" }]);
  if (parent)
    active.push([t("Subagents of {{session}}", { session: parent.title }), { parent: null }]);
  return active.map(([words, without]) => (
    <Chip
      key={words}
      on
      removable
      title={t("{{filter}} — click to remove the filter", { filter: words })}
      onClick={() => onChange(without)}
    >
      {words}
    </Chip>
  ));
}
