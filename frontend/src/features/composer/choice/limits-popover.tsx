import clsx from "clsx";
import { SlidersHorizontal } from "lucide-react";
import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { IconButton } from "@/components/form/icon-button";
import { PopoverCard } from "@/components/overlay/popover";
import type { ComposerOptions, ModelInfo } from "@/lib/api/api";
import { msg, t, translate } from "@/lib/i18n/i18n";
import type { Choice } from "@/lib/session/choice";

interface LimitsPopoverProps {
  choice: Choice;
  info: ModelInfo | undefined;
  /** What applies where nothing is chosen: the values of the last step. */
  options: ComposerOptions | undefined;
  onChange: (part: Partial<Choice>) => void;
}

const efforts = [
  { effort: "", title: msg("Default") },
  { effort: "none", title: msg("None") },
  { effort: "low", title: msg("Low") },
  { effort: "medium", title: msg("Medium") },
  { effort: "high", title: msg("High") },
];

const fieldLook =
  "h-7 w-24 rounded border border-border-strong bg-surface px-2 text-end aria-invalid:border-error";

/** The title of the effort that applies where none is chosen. */
function effortTitle(effort: string | undefined): string {
  const former = efforts.find((one) => one.effort !== "" && one.effort === effort);
  return former ? t("{{effort}} (as before)", { effort: translate(former.title) }) : t("Default");
}

/** Reports whether a budget is valid: empty, or dollars with a decimal point. */
export function isBudget(text: string): boolean {
  return /^(\d+(\.\d{0,9})?)?$/.test(text.trim());
}

/** The limits of a run, its reasoning effort, and whether it waits after each answer. */
export function LimitsPopover({ choice, info, options, onChange }: LimitsPopoverProps) {
  const { budgetUsd, maxSteps, effort, review } = choice;
  const isSet = budgetUsd !== "" || maxSteps > 0 || review || effort !== "";
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <IconButton
          icon={SlidersHorizontal}
          label={isSet ? t("Limits (set)") : t("Limits")}
          side="top"
          className={clsx(isSet && "!text-accent")}
        />
      </Popover.Trigger>
      <PopoverCard side="top" label={t("Limits of the run")} className="w-80 p-4">
        <Line title={t("Budget")} text={t("dollars for the whole session; 0: no limit")}>
          <input
            aria-label={t("Budget in dollars")}
            inputMode="decimal"
            placeholder={options?.budgetUsd || t("none")}
            className={fieldLook}
            value={budgetUsd}
            aria-invalid={!isBudget(budgetUsd)}
            onChange={({ target }) => onChange({ budgetUsd: target.value })}
          />
        </Line>
        <Line title={t("Steps")} text={t("maximum in one run")}>
          <input
            aria-label={t("Maximum steps of a run")}
            inputMode="numeric"
            placeholder={options?.maxSteps ? String(options.maxSteps) : t("none")}
            className={fieldLook}
            value={maxSteps === 0 ? "" : String(maxSteps)}
            onChange={({ target }) =>
              onChange({ maxSteps: Number(target.value.replace(/\D/g, "").slice(0, 6)) })
            }
          />
        </Line>
        {info?.reasoning !== false && (
          <Line title={t("Reasoning")} text={t("if the model supports it")}>
            <select
              aria-label={t("Reasoning effort")}
              className="h-7 w-24 rounded border border-border-strong bg-surface px-1.5"
              value={effort}
              onChange={({ target }) => onChange({ effort: target.value })}
            >
              {efforts.map((one) => (
                <option key={one.effort} value={one.effort}>
                  {one.effort === "" ? effortTitle(options?.effort) : translate(one.title)}
                </option>
              ))}
            </select>
          </Line>
        )}
        <div className="mt-3">
          <Checkbox
            title={t("Pause after each answer")}
            text={t("The run waits until you continue it")}
            checked={review}
            onChange={(review) => onChange({ review })}
          />
        </div>
        {isSet && (
          <div className="mt-3 flex justify-end">
            <Button
              variant="quiet"
              onClick={() => onChange({ budgetUsd: "", maxSteps: 0, effort: "", review: false })}
            >
              {t("Reset")}
            </Button>
          </div>
        )}
      </PopoverCard>
    </Popover.Root>
  );
}

function Line({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center gap-3">
      <span className="min-w-0 flex-1">
        {title}
        <span className="block text-sm text-text-3">{text}</span>
      </span>
      {children}
    </div>
  );
}
