import clsx from "clsx";
import { type ReactNode, useState } from "react";
import { Button } from "@/components/form/button";
import { Tooltip } from "@/components/text/tooltip";
import { t } from "@/lib/i18n/i18n";

/** A row of a table: its name, the length of its bar, and its numbers in words. */
export interface RankingLine {
  key: string;
  name: string;
  /** The full name, shown under the pointer. */
  title?: string;
  /** Relative to the largest, from 0 to 1. */
  share: number;
  cells: string[];
}

interface RankingProps {
  title: string;
  columns: readonly string[];
  lines: readonly RankingLine[];
  /** The row that everything is filtered by; undefined: none. */
  chosen?: string;
  /** Undefined: rows cannot be chosen. */
  onChoose?: (key: string) => void;
  empty: string;
  children?: ReactNode;
}

/** The number of rows shown at first. */
const shownLines = 8;

/** A table with a bar behind each name, the largest first. A click filters the page. */
export function Ranking({ title, columns, lines, chosen, onChoose, empty }: RankingProps) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, shownLines);
  return (
    <section aria-label={title} className="min-w-0">
      {lines.length === 0 ? (
        <>
          <h3 className="border-b border-border pb-1 font-semibold">{title}</h3>
          <p className="py-2 text-text-3">{empty}</p>
        </>
      ) : (
        <table className="w-full table-fixed border-collapse">
          <thead>
            <tr className="border-b border-border text-text-3">
              <th scope="col" className="pb-1 text-start font-semibold text-text">
                {title}
              </th>
              {columns.map((column) => (
                <th
                  key={column}
                  scope="col"
                  title={column}
                  className="w-[84px] truncate pb-1 ps-3 text-end text-sm font-normal"
                >
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ key, name, title, share, cells }) => (
              <tr key={key} className="border-b border-border">
                <th scope="row" className="h-7 p-0 text-start font-normal">
                  <div className="relative flex h-7 items-center">
                    <span
                      aria-hidden="true"
                      className="absolute inset-y-1 start-0 rounded-sm bg-accent-soft"
                      style={{ width: `${Math.max(share * 100, share > 0 ? 1 : 0)}%` }}
                    />
                    <Tooltip text={title ?? name}>
                      {onChoose && key !== "" ? (
                        <button
                          type="button"
                          aria-pressed={chosen === key}
                          onClick={() => onChoose(key)}
                          className={clsx(
                            "relative min-w-0 truncate px-1.5 text-start hover:underline",
                            chosen === key && "font-semibold",
                          )}
                        >
                          {name}
                        </button>
                      ) : (
                        <span className="relative min-w-0 truncate px-1.5">{name}</span>
                      )}
                    </Tooltip>
                  </div>
                </th>
                {cells.map((cell, index) => (
                  <td key={columns[index]} className="h-7 truncate ps-3 text-end text-text-2">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines.length > shownLines && (
        <Button
          variant="quiet"
          className="mt-1 -ms-2.5"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? t("Show fewer") : t("Show all {{number}}", { number: lines.length })}
        </Button>
      )}
    </section>
  );
}
