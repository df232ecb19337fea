import { Chip } from "@/components/form/chip";
import { Menu } from "@/components/menu/menu";
import { t } from "@/lib/i18n/i18n";
import type { Filter } from "./layout/filter";
import type { SiblingOrder } from "./layout/fork-order";

interface FilterChipProps {
  value: Filter;
  onChange: (filter: Filter) => void;
  order: SiblingOrder;
  onOrder: (order: SiblingOrder) => void;
}

const filters: { name: Filter; title: string; detail: string }[] = [
  { name: "all", title: "All", detail: "Every turn" },
  { name: "prompts", title: "Prompts", detail: "Turns that begin with a prompt" },
  { name: "no-tools", title: "No tools", detail: "Turns in which no tool was called" },
  { name: "labelled", title: "Labelled", detail: "Turns with a label" },
];

const orders: { name: SiblingOrder; title: string }[] = [
  { name: "oldest", title: "Oldest alternatives first" },
  { name: "newest", title: "Newest alternatives first" },
];

/** Chooses which turns the outline lists, and in which order alternatives stand. */
export function FilterChip({ value, onChange, order, onOrder }: FilterChipProps) {
  const title = filters.find(({ name }) => name === value)?.title;
  return (
    <Menu
      align="end"
      label={t("Turns listed")}
      trigger={
        <Chip menu on={value !== "all"} aria-label={`Turns listed: ${title}`}>
          {title}
        </Chip>
      }
      entries={[
        ...filters.map(({ name, title, detail }) => ({
          title,
          detail,
          checked: name === value,
          onSelect: () => onChange(name),
        })),
        "separator" as const,
        ...orders.map(({ name, title }) => ({
          title,
          checked: name === order,
          onSelect: () => onOrder(name),
        })),
      ]}
    />
  );
}
