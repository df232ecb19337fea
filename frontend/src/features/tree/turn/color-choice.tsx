import { colorName, labelColor, labelColors } from "@/lib/format/color";
import { t } from "@/lib/i18n/i18n";

interface ColorChoiceProps {
  /** One of labelColors; empty: none. */
  value: string;
  onChange: (color: string) => void;
}

/** A row of colors to choose a label's from; arrow keys go along it. */
export function ColorChoice({ value, onChange }: ColorChoiceProps) {
  return (
    <fieldset className="mt-2.5 flex flex-wrap items-center gap-x-1.5 gap-y-1">
      <legend className="sr-only">{t("Color")}</legend>
      {["", ...labelColors].map((color) => (
        <label
          key={color}
          title={colorName(color)}
          className="grid size-5 cursor-pointer place-items-center rounded-full border border-transparent has-checked:border-text has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="color"
            value={color}
            checked={color === value}
            aria-label={colorName(color)}
            className="sr-only"
            onChange={() => onChange(color)}
          />
          <span
            aria-hidden="true"
            className="size-3.5 rounded-full border border-border-strong"
            style={
              color === ""
                ? undefined
                : { background: labelColor(color), borderColor: "transparent" }
            }
          />
        </label>
      ))}
    </fieldset>
  );
}
