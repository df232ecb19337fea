import type { LucideIcon } from "lucide-react";
import { Tabs as Radix } from "radix-ui";

interface TabsProps<Name extends string> {
  /** What the tabs choose between. */
  label: string;
  value: Name;
  onChange: (value: Name) => void;
  /** A tab with an icon shows only that in a row that is tight: see lib/browser/tight.ts. */
  tabs: readonly { name: Name; title: string; icon?: LucideIcon }[];
}

/** A row of tabs. The caller shows the selected content. */
export function Tabs<Name extends string>({ label, value, onChange, tabs }: TabsProps<Name>) {
  return (
    <Radix.Root value={value} onValueChange={(next) => onChange(next as Name)}>
      <Radix.List aria-label={label} className="flex gap-1">
        {tabs.map(({ name, title, icon: Icon }) => (
          <Radix.Trigger
            key={name}
            value={name}
            // The panel is drawn elsewhere, so the tab must not refer to one that does not exist.
            aria-controls={undefined}
            {...(Icon && { "aria-label": title, title })}
            className="h-[26px] rounded px-2.5 whitespace-nowrap text-text-2 hover:text-text data-[state=active]:bg-accent-soft data-[state=active]:font-semibold data-[state=active]:text-text"
          >
            {Icon ? (
              <>
                <span className="in-data-[tight]:hidden">{title}</span>
                <Icon size={16} aria-hidden="true" className="hidden in-data-[tight]:block" />
              </>
            ) : (
              title
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
    </Radix.Root>
  );
}
