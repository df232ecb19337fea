import { RadioCards } from "@/components/form/radio-cards";
import { t } from "@/lib/i18n/i18n";
import { type Mode, useMode } from "@/lib/session/mode";
import { Group } from "./section";
import { useSettings } from "./use-setup";

const usualPx = 15;
const sizes = [13, 14, 15, 16, 18, 20, 24] as const;

const widths = () =>
  [
    { value: "narrow", title: t("Narrow"), text: t("{{number}} characters", { number: 60 }) },
    { value: "normal", title: t("Normal"), text: t("{{number}} characters", { number: 72 }) },
    { value: "wide", title: t("Wide"), text: t("{{number}} characters", { number: 100 }) },
    { value: "full", title: t("Full"), text: t("The whole pane") },
  ] as const;

const details = (): { value: Mode; title: string; text: string }[] => [
  { value: "all", title: t("All"), text: t("Every message and tool call") },
  { value: "digest", title: t("Digest"), text: t("Prompt, a bar of the work, answer") },
  { value: "prompts", title: t("Prompts"), text: t("Only what you have written") },
];

/** How the text of sessions is shown. */
export function ReadingSection() {
  const { settings, change } = useSettings();
  const [mode, setMode] = useMode();
  const size = settings?.readingFontPx || usualPx;
  const width = settings?.readingWidth || "normal";
  return (
    <>
      <Group title={t("Text size")} text={t("The size of messages. Code is a little smaller.")}>
        <div className="flex flex-wrap items-center gap-4">
          <input
            type="range"
            aria-label={t("Text size")}
            aria-valuetext={t("{{number}} pixels", { number: size })}
            min={0}
            max={sizes.length - 1}
            step={1}
            value={Math.max(0, sizes.indexOf(size as (typeof sizes)[number]))}
            onChange={({ target }) =>
              void change({ readingFontPx: sizes[Number(target.value)] ?? usualPx })
            }
            className="w-56 accent-accent"
          />
          <output className="w-14">{t("{{number}} px", { number: size })}</output>
        </div>
        <p
          className="mt-3 rounded border border-border bg-surface px-4 py-3"
          style={{ fontSize: size, lineHeight: 1.6 }}
        >
          {t("A coppice is a wood that is cut back so that it grows again from the same roots.")}
        </p>
      </Group>
      <Group title={t("Width")} text={t("How wide lines of text become before they break.")}>
        <RadioCards
          label={t("Characters in a line")}
          value={width as ReturnType<typeof widths>[number]["value"]}
          onChange={(next) => void change({ readingWidth: next === "normal" ? "" : next })}
          cards={widths()}
        />
      </Group>
      <Group
        title={t("Detail")}
        text={t("How much of each turn sessions show, as the buttons above them do.")}
      >
        <RadioCards label={t("Show")} value={mode} onChange={setMode} cards={details()} />
      </Group>
    </>
  );
}
