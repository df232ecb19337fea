import clsx from "clsx";
import { AuthorMark } from "@/components/session/author-mark";
import type { TeamInfo } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import type { Addressing } from "./use-addressing";

interface NameListProps {
  addressing: Addressing;
  team: TeamInfo;
}

/** The agents whose names complete what is typed. The focus stays in the field. */
export function NameList({ addressing, team }: NameListProps) {
  const { id, found, active, choose, optionId } = addressing;
  if (found.length === 0) return null;
  const names = team.agents.map(({ name }) => name);
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t("Agents")}
      className="mx-2 mt-2 max-h-48 overflow-auto rounded border border-border py-1"
    >
      {found.map((name, at) => (
        <div
          key={name}
          id={optionId(at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            choose(name);
          }}
          className={clsx(
            "flex h-7 cursor-pointer items-center gap-3 px-2",
            at === active ? "bg-accent-soft" : "hover:bg-sunken",
          )}
        >
          <AuthorMark name={name} authors={names} className="shrink-0" />
          <span className="min-w-0 truncate text-sm text-text-3">
            {team.agents.find((one) => one.name === name)?.description}
          </span>
        </div>
      ))}
    </div>
  );
}
