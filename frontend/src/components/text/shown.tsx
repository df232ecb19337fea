import { showHidden } from "@/lib/format/hidden";
import { t } from "@/lib/i18n/i18n";

/** A text with every character visible, because the user decides by it what may be done. */
export function Shown({ text }: { text: string }) {
  return showHidden(text).map(({ text, hidden }, at) =>
    hidden ? (
      <span
        // The pieces of a text do not move.
        // biome-ignore lint/suspicious/noArrayIndexKey: the same sign may come twice
        key={at}
        title={hidden === "tab" ? t("A tab") : t("An invisible character")}
        className={looks[hidden]}
      >
        {text}
      </span>
    ) : (
      text
    ),
  );
}

const looks = {
  character: "rounded border border-warn px-0.5 font-mono text-xs text-warn",
  tab: "font-mono whitespace-pre text-warn",
};
