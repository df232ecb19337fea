import { RadioCards } from "@/components/form/radio-cards";
import { type ReadingDetail, useReadingDetail } from "@/lib/session/reading-detail";
import { Group } from "./section";
import { useSettings } from "./use-setup";

const usualPx = 15;
const sizes = [13, 14, 15, 16, 18, 20, 24] as const;

const widths = [
  { value: "narrow", title: "Narrow", text: "60 characters" },
  { value: "normal", title: "Normal", text: "72 characters" },
  { value: "wide", title: "Wide", text: "100 characters" },
  { value: "full", title: "Full", text: "The whole pane" },
] as const;

const details: { value: ReadingDetail; title: string; text: string }[] = [
  { value: "all", title: "All", text: "Every message and tool call" },
  { value: "digest", title: "Digest", text: "Prompt, a bar of the work, answer" },
  { value: "prompts", title: "Prompts", text: "Only what you have written" },
];

/** How the text of sessions is shown. */
export function ReadingSection() {
  const { settings, change } = useSettings();
  const [detail, setDetail] = useReadingDetail();
  const size = settings?.readingFontPx || usualPx;
  const width = settings?.readingWidth || "normal";
  return (
    <>
      <Group title="Text size" text="The size of messages. Code is a little smaller.">
        <div className="flex flex-wrap items-center gap-4">
          <input
            type="range"
            aria-label="Text size"
            aria-valuetext={`${size} pixels`}
            min={0}
            max={sizes.length - 1}
            step={1}
            value={Math.max(0, sizes.indexOf(size as (typeof sizes)[number]))}
            onChange={({ target }) =>
              void change({ readingFontPx: sizes[Number(target.value)] ?? usualPx })
            }
            className="w-56 accent-accent"
          />
          <output className="w-14">{size} px</output>
        </div>
        <p
          className="mt-3 rounded border border-border bg-surface px-4 py-3"
          style={{ fontSize: size, lineHeight: 1.6 }}
        >
          A coppice is a wood that is cut back so that it grows again from the same roots.
        </p>
      </Group>
      <Group title="Width" text="How wide lines of text become before they break.">
        <RadioCards
          label="Characters in a line"
          value={width as (typeof widths)[number]["value"]}
          onChange={(next) => void change({ readingWidth: next === "normal" ? "" : next })}
          cards={widths}
        />
      </Group>
      <Group title="Detail" text="How much of each turn a session shows when it opens.">
        <RadioCards label="Show at first" value={detail} onChange={setDetail} cards={details} />
      </Group>
    </>
  );
}
