import { Chip } from "@/components/form/chip";
import { Menu } from "@/components/menu/menu";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import type { Filter } from "./layout/filter";
import type { SiblingOrder } from "./layout/fork-order";

interface FilterChipProps {
  value: Filter;
  onChange: (filter: Filter) => void;
  order: SiblingOrder;
  onOrder: (order: SiblingOrder) => void;
}

const filters: { name: Filter; title: Message; detail: Message }[] = [
  { name: "all", title: msg("All"), detail: msg("Every turn") },
  { name: "prompts", title: msg("Prompts"), detail: msg("Turns that begin with a prompt") },
  { name: "no-tools", title: msg("No tools"), detail: msg("Turns in which no tool was called") },
  { name: "labelled", title: msg("Labelled"), detail: msg("Turns with a label") },
];

const orders: { name: SiblingOrder; title: Message }[] = [
  { name: "oldest", title: msg("Oldest alternatives first") },
  { name: "newest", title: msg("Newest alternatives first") },
];

/** Chooses which turns the outline lists, and in which order alternatives stand. */
export function FilterChip({ value, onChange, order, onOrder }: FilterChipProps) {
  const title = translate(filters.find(({ name }) => name === value)?.title ?? msg("All"));
  return (
    <Menu
      align="end"
      label={t("Turns listed")}
      trigger={
        <Chip
          menu
          on={value !== "all"}
          aria-label={t("Turns listed: {{filter}}", { filter: title })}
        >
          {title}
        </Chip>
      }
      entries={[
        ...filters.map(({ name, title, detail }) => ({
          title: translate(title),
          detail: translate(detail),
          checked: name === value,
          onSelect: () => onChange(name),
        })),
        "separator" as const,
        ...orders.map(({ name, title }) => ({
          title: translate(title),
          checked: name === order,
          onSelect: () => onOrder(name),
        })),
      ]}
    />
  );
}
