import { Chip } from "@/components/chip";
import { Menu } from "@/components/menu";
import type { Filter } from "./filter";

interface FilterChipProps {
  value: Filter;
  onChange: (filter: Filter) => void;
}

const filters: { name: Filter; title: string; detail: string }[] = [
  { name: "all", title: "All", detail: "Every turn" },
  { name: "prompts", title: "Prompts", detail: "Turns that begin with a prompt" },
  { name: "labelled", title: "Labelled", detail: "Turns with a label" },
];

/** Chooses which turns the outline lists. */
export function FilterChip({ value, onChange }: FilterChipProps) {
  const title = filters.find(({ name }) => name === value)?.title;
  return (
    <Menu
      align="end"
      label="Turns listed"
      trigger={
        <Chip menu on={value !== "all"} aria-label={`Turns listed: ${title}`}>
          {title}
        </Chip>
      }
      entries={filters.map(({ name, title, detail }) => ({
        title,
        detail,
        checked: name === value,
        onSelect: () => onChange(name),
      }))}
    />
  );
}
