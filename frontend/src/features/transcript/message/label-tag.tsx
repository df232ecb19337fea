import { Popover } from "radix-ui";
import { useRef } from "react";
import { Button } from "@/components/form/button";
import { PopoverCard } from "@/components/overlay/popover";
import type { MessageView } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useTranscript } from "../scope";

const longestLabel = 200;

/** The label of a turn as a tag in the header, and the field to change it. */
export function LabelTag({ message }: { message: MessageView }) {
  const { labelling, stopLabelling, labelOf, actions } = useTranscript();
  const field = useRef<HTMLInputElement>(null);
  const open = labelling === message.uid;
  if (!open && message.label === "") return null;
  const label = labelOf(message);
  const keep = () => {
    stopLabelling();
    actions.setLabel(message, field.current?.value.trim() ?? "");
  };
  return (
    <Popover.Root open={open} onOpenChange={(next) => !next && stopLabelling()}>
      <Popover.Anchor asChild>
        {message.label === "" ? (
          <span className="h-0 w-0" />
        ) : (
          <button
            type="button"
            title={t("{{label}}: change the label", { label: message.label })}
            dir="auto"
            onClick={() => actions.editLabel(message)}
            className="min-w-0 max-w-60 truncate rounded-full border border-border px-[7px] text-xs text-text-2 hover:bg-sunken hover:text-text"
          >
            {message.label}
          </button>
        )}
      </Popover.Anchor>
      <PopoverCard
        align="start"
        label={t("Label of this turn")}
        className="flex w-96 items-center gap-2 p-2"
        onOpenAutoFocus={(event) => {
          event.preventDefault();
          field.current?.select();
          field.current?.focus();
        }}
      >
        <input
          ref={field}
          aria-label={t("Label of this turn")}
          placeholder={t("A name for this turn")}
          defaultValue={label}
          dir="auto"
          maxLength={longestLabel}
          className="h-7 min-w-0 flex-1 rounded border border-border-strong bg-surface px-2"
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === "Enter" && !event.nativeEvent.isComposing) keep();
            if (event.key === "Escape") stopLabelling();
          }}
        />
        {label !== "" && (
          <Button
            variant="quiet"
            onClick={() => {
              stopLabelling();
              actions.setLabel(message, "");
            }}
          >
            {t("Remove")}
          </Button>
        )}
        <Button variant="primary" onClick={keep}>
          {t("Label")}
        </Button>
      </PopoverCard>
    </Popover.Root>
  );
}
