import { HeatmapRect } from "@visx/heatmap";
import { scaleLinear } from "@visx/scale";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { StatisticsCell } from "@/lib/api/api";
import { pointIn } from "@/lib/browser/zoom";
import { dateOf, plusDays } from "@/lib/format/days";
import { formatDate, formatMonth } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { daysBetween, weekdayOf } from "./days";
import { allWords, amountOf, type Measure } from "./measures";
import { useWidth } from "./use-width";

interface CalendarMapProps {
  days: readonly StatisticsCell[];
  measure: Measure;
  /** The last day on the map, which shows the year before it. */
  last: string;
  /** The chosen day; empty: none. */
  chosen: string;
  onChoose: (day: string) => void;
}

const margin = { top: 18, left: 34 };
const weeks = 53;
/** The intensity of a day: zero, and four quartiles of the days with activity. */
const shades = [0, 25, 45, 70, 100];

interface Square {
  day: string;
  level: number;
  cell?: StatisticsCell;
}

interface Week {
  first: string;
  bins: Square[];
}

/** The values at the first, second and third quartile. */
function limitsOf(values: number[]): number[] {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  return [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(sorted.length * share)] ?? 0);
}

function weeksOf(days: readonly StatisticsCell[], measure: Measure, last: string): Week[] {
  const byDay = new Map(days.map((cell) => [cell.day, cell]));
  const start = plusDays(last, -weekdayOf(last) - 7 * (weeks - 1));
  const shown = days.filter(({ day }) => day >= start && day <= last);
  const limits = limitsOf(shown.map((cell) => amountOf(cell, measure)));
  return Array.from({ length: weeks }, (_, week) => {
    const first = plusDays(start, 7 * week);
    const bins = Array.from({ length: 7 }, (_, weekday): Square => {
      const day = plusDays(first, weekday);
      const cell = byDay.get(day);
      const value = cell ? amountOf(cell, measure) : 0;
      // A day with work of unknown cost is not an empty one.
      const least = cell ? 1 : 0;
      return {
        day,
        cell,
        level: Math.max(least, value > 0 ? 1 + limits.filter((limit) => value > limit).length : 0),
      };
    });
    return { first, bins: bins.filter(({ day }) => day <= last) };
  });
}

const fill = (level: number) =>
  level === 0
    ? "var(--sunken)"
    : `color-mix(in srgb, var(--accent) ${shades[level]}%, var(--surface))`;

/** A year of days, darker for more activity. Arrow keys move between days, Enter chooses one. */
export function CalendarMap({ days, measure, last, chosen, onChoose }: CalendarMapProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const data = useMemo(() => weeksOf(days, measure, last), [days, measure, last]);
  const [active, setActive] = useState<string>();
  const size = Math.max(8, (width - margin.left) / weeks);
  const first = data[0]?.first ?? last;

  const at = active && data[Math.floor(daysBetween(first, active) / 7)]?.bins[weekdayOf(active)];
  const move = (by: number) => {
    const to = plusDays(active ?? last, active === undefined ? 0 : by);
    setActive(to < first ? first : to > last ? last : to);
  };
  const onKey = (event: KeyboardEvent) => {
    const by = {
      ArrowLeft: -7,
      ArrowRight: 7,
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -28,
      PageDown: 28,
    }[event.key];
    if (by !== undefined) move(by);
    else if ((event.key === "Enter" || event.key === " ") && active)
      onChoose(active === chosen ? "" : active);
    else return;
    event.preventDefault();
  };
  const under = (event: { clientX: number; clientY: number; currentTarget: Element }) => {
    const { x, y } = pointIn(event.currentTarget, event);
    const week = Math.floor((x - margin.left) / size);
    const weekday = Math.floor((y - margin.top) / size);
    return weekday >= 0 && weekday < 7 ? data[week]?.bins[weekday]?.day : undefined;
  };

  return (
    <div ref={frame}>
      <div className="overflow-x-auto">
        <div
          role="application"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from day to day
          tabIndex={0}
          aria-label={t("Calendar. Arrow keys go from day to day, Enter shows one day.")}
          className="w-fit rounded"
          onKeyDown={onKey}
          onPointerMove={(event) => setActive(under(event))}
          onPointerLeave={() => setActive(undefined)}
          onBlur={() => setActive(undefined)}
          onClick={(event) => {
            const day = under(event);
            if (day) onChoose(day === chosen ? "" : day);
          }}
        >
          <Squares isShown={width > 0} data={data} size={size} active={active} chosen={chosen} />
        </div>
      </div>
      <div className="mt-1 flex min-h-[18px] items-center gap-3 text-sm text-text-2">
        <p aria-live="polite" className="min-w-0 flex-1 truncate ps-[34px]">
          {at ? `${formatDate(dateOf(at.day))}: ${at.cell ? allWords(at.cell) : "nothing"}` : ""}
        </p>
        <Legend />
      </div>
    </div>
  );
}

interface SquaresProps {
  data: Week[];
  /** False until the width of the chart is known. */
  isShown: boolean;
  /** The width of a day. */
  size: number;
  active: string | undefined;
  chosen: string;
}

const gap = 2;

function Squares({ isShown, data, size, active, chosen }: SquaresProps) {
  const first = data[0]?.first ?? "";
  const months = data.filter(
    ({ first: day }, week) =>
      week < weeks - 2 && (week === 0 ? day.slice(8) < "15" : day.slice(8) <= "07"),
  );
  const column = new Map(data.map(({ first: day }, week) => [day, week]));
  const x = scaleLinear({ domain: [0, weeks], range: [margin.left, margin.left + size * weeks] });
  const y = scaleLinear({ domain: [0, 7], range: [margin.top, margin.top + size * 7] });
  return (
    <svg
      width={margin.left + size * weeks}
      height={margin.top + size * 7 + 2}
      className="block"
      aria-hidden="true"
    >
      {isShown && (
        <>
          {months.map(({ first: day }) => (
            <text key={day} x={x(column.get(day) ?? 0)} y={12} fill="var(--text-3)" fontSize={11}>
              {formatMonth(dateOf(plusDays(day, 6)))}
            </text>
          ))}
          {[0, 2, 4].map((weekday) => (
            <text
              key={weekday}
              x={0}
              y={y(weekday) + size / 2 + 4}
              fill="var(--text-3)"
              fontSize={11}
            >
              {formatDate(dateOf(plusDays(first, weekday))).slice(0, 3)}
            </text>
          ))}
          <HeatmapRect<Week, Square>
            data={data}
            bins={({ bins }) => bins}
            count={({ level }) => level}
            xScale={x}
            yScale={y}
            binWidth={size}
            binHeight={size}
            gap={gap}
          >
            {(columns) =>
              columns.flatMap((bins) =>
                bins.map(({ row, column, x, y, bin }) => (
                  <rect
                    key={`${column} ${row}`}
                    x={x}
                    y={y}
                    width={size - gap}
                    height={size - gap}
                    rx={2}
                    fill={fill(bin.level)}
                    stroke={
                      bin.day === active || bin.day === chosen
                        ? "var(--text)"
                        : bin.level === 0
                          ? "var(--border)"
                          : "none"
                    }
                    strokeWidth={bin.day === active || bin.day === chosen ? 1.5 : 1}
                  />
                )),
              )
            }
          </HeatmapRect>
        </>
      )}
    </svg>
  );
}

function Legend() {
  return (
    <span className="flex items-center gap-1 text-text-3" aria-hidden="true">
      {t("less")}
      {shades.map((shade, level) => (
        <span
          key={shade}
          className="size-2.5 rounded-sm border border-border"
          style={{ background: fill(level) }}
        />
      ))}
      {t("more")}
    </span>
  );
}
