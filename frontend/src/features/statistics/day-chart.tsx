import { AxisBottom, AxisLeft } from "@visx/axis";
import { GridRows } from "@visx/grid";
import { scaleBand, scaleLinear, scaleOrdinal } from "@visx/scale";
import { BarStack } from "@visx/shape";
import { type KeyboardEvent, useRef, useState } from "react";
import { pointIn } from "@/lib/browser/zoom";
import { dateOf, plusDays } from "@/lib/format/days";
import { formatDate, formatMonth, formatShortDate } from "@/lib/format/format";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import type { Step } from "./days";
import { axisWords, type Measure } from "./measures";
import { type Bar, colorOf, type Series } from "./series";
import { useWidth } from "./use-width";

interface DayChartProps {
  series: Series;
  measure: Measure;
  /** The name of a value. */
  name: (value: string) => string;
  /** A bar was chosen; only for days. */
  onChoose: (day: string) => void;
}

const height = 220;
const margin = { top: 8, right: 4, bottom: 24, left: 56 };
const tick = { fill: "var(--text-3)", fontSize: 11, fontFamily: "inherit" } as const;

const chartWords: Record<Step, Message> = {
  day: msg("Bars by day. Arrow keys go from bar to bar, Enter shows the day."),
  week: msg("Bars by week. Arrow keys go from bar to bar."),
  month: msg("Bars by month. Arrow keys go from bar to bar."),
};

/** The value of a bar, in words. */
function stepWords(day: string, step: Step): string {
  if (step === "month") return formatMonth(dateOf(day), true);
  const words = formatDate(dateOf(day));
  return step === "week" ? `${words} – ${formatDate(dateOf(plusDays(day, 6)))}` : words;
}

function barWords({ day, total, isOpen }: Bar, step: Step, measure: Measure): string {
  const open = isOpen && measure === "cost";
  const value =
    open && total === 0 ? t("cost unknown") : `${open ? "≥ " : ""}${axisWords(total, measure)}`;
  return `${stepWords(day, step)}: ${value}`;
}

/** Bars by day, week or month. Arrow keys move between bars; the value of the focused one is shown below. */
export function DayChart({ series, measure, name, onChoose }: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const [active, setActive] = useState<number>();
  const { bars, values, step } = series;
  const at = active === undefined ? undefined : bars[active];

  const scales = scalesOf(series, width);

  const move = (to: number) => setActive(Math.min(bars.length - 1, Math.max(0, to)));
  const onKey = (event: KeyboardEvent) => {
    const from = active ?? bars.length;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: bars.length - 1 }[
      event.key
    ];
    if (to !== undefined) move(to);
    else if ((event.key === "Enter" || event.key === " ") && at && step === "day") onChoose(at.day);
    else return;
    event.preventDefault();
  };
  const under = (event: { clientX: number; clientY: number; currentTarget: Element }) => {
    const { x: px } = pointIn(event.currentTarget, event);
    const index = Math.floor((px - margin.left) / scales.x.step());
    return index >= 0 && index < bars.length ? index : undefined;
  };

  return (
    <div ref={frame}>
      <div
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys go from bar to bar
        tabIndex={0}
        aria-label={translate(chartWords[step])}
        className="rounded"
        onKeyDown={onKey}
        onPointerMove={(event) => setActive(under(event))}
        onPointerLeave={() => setActive(undefined)}
        onClick={(event) => {
          const index = under(event);
          if (index !== undefined && step === "day") onChoose(bars[index]?.day ?? "");
        }}
        onBlur={() => setActive(undefined)}
      >
        <Bars series={series} measure={measure} width={width} scales={scales} at={at} />
      </div>
      <p aria-live="polite" className="min-h-[18px] truncate ps-14 text-sm text-text-2">
        {at ? barWords(at, step, measure) : ""}
        {at &&
          values.length > 1 &&
          values
            .filter((value) => at.parts[value])
            .map((value) => ` · ${name(value)} ${axisWords(at.parts[value] ?? 0, measure)}`)
            .join("")}
      </p>
    </div>
  );
}

/** Where days, values and colors are in a chart of that width, and the days that have a tick. */
function scalesOf({ bars, values }: Series, width: number) {
  const x = scaleBand({
    domain: bars.map(({ day }) => day),
    range: [margin.left, Math.max(margin.left, width - margin.right)],
    padding: bars.length > 60 ? 0.15 : 0.25,
  });
  const top = Math.max(...bars.map(({ total }) => total), 0);
  const y = scaleLinear({
    domain: [0, top || 1],
    range: [height - margin.bottom, margin.top],
    nice: 4,
  });
  const color = scaleOrdinal({ domain: values, range: values.map(colorOf) });
  const every = Math.max(1, Math.ceil(bars.length / Math.max(2, Math.floor(width / 90))));
  const ticks = bars.filter((_, index) => index % every === 0).map(({ day }) => day);
  return { x, y, color, ticks };
}

interface BarsProps {
  series: Series;
  measure: Measure;
  width: number;
  scales: ReturnType<typeof scalesOf>;
  /** The bar with the focus. */
  at: Bar | undefined;
}

function Bars({ series, measure, width, scales, at }: BarsProps) {
  const { bars, values, step } = series;
  const { x, y, color, ticks } = scales;
  return (
    <svg width={width} height={height} className="block" aria-hidden="true">
      {width > 0 && (
        <>
          <GridRows
            scale={y}
            left={margin.left}
            width={Math.max(0, width - margin.left - margin.right)}
            numTicks={4}
            stroke="var(--border)"
          />
          {at && (
            <rect
              x={x(at.day)}
              y={margin.top}
              width={x.bandwidth()}
              height={height - margin.top - margin.bottom}
              fill="var(--sunken)"
            />
          )}
          <BarStack
            data={bars}
            keys={values}
            x={({ day }) => day}
            value={({ parts }, key) => parts[key] ?? 0}
            xScale={x}
            yScale={y}
            color={color}
          >
            {(stacks) =>
              stacks.flatMap((stack) =>
                stack.bars.map((bar) => (
                  <rect
                    key={`${stack.index} ${bar.index}`}
                    x={bar.x}
                    y={bar.y}
                    width={Math.max(1, bar.width)}
                    height={Math.max(0, bar.height)}
                    fill={bar.color}
                  />
                )),
              )
            }
          </BarStack>
          {measure === "cost" &&
            bars.map(
              ({ day, isOpen }) =>
                isOpen && (
                  <line
                    key={day}
                    x1={x(day)}
                    x2={(x(day) ?? 0) + Math.max(1, x.bandwidth())}
                    y1={height - margin.bottom + 2.5}
                    y2={height - margin.bottom + 2.5}
                    stroke="var(--warn)"
                    strokeWidth={2}
                  />
                ),
            )}
          <AxisLeft
            scale={y}
            left={margin.left}
            numTicks={4}
            hideAxisLine
            hideTicks
            tickFormat={(value) => axisWords(Number(value), measure)}
            tickLabelProps={() => ({ ...tick, textAnchor: "end", dx: -4, dy: 4 })}
          />
          <AxisBottom
            scale={x}
            top={height - margin.bottom}
            tickValues={ticks}
            hideTicks
            stroke="var(--border-strong)"
            tickFormat={(day) =>
              step === "month" ? formatMonth(dateOf(day), true) : formatShortDate(dateOf(day))
            }
            tickLabelProps={() => ({ ...tick, textAnchor: "middle", dy: 2 })}
          />
        </>
      )}
    </svg>
  );
}
