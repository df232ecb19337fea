import { useState } from "react";
import { Checkbox } from "@/components/form/checkbox";
import { TextField } from "@/components/form/field";
import { t } from "@/lib/i18n/i18n";

interface PassphraseProps {
  /** Undefined: the page is not encrypted; empty: not typed twice yet. */
  value: string | undefined;
  onChange: (passphrase: string | undefined) => void;
}

/** Whether a page is encrypted, and with which passphrase. It is typed twice, because nothing recovers it. */
export function Passphrase({ value, onChange }: PassphraseProps) {
  const [first, setFirst] = useState(value ?? "");
  const [again, setAgain] = useState(value ?? "");
  const change = (first: string, again: string) => {
    setFirst(first);
    setAgain(again);
    onChange(first === again ? first : "");
  };
  const differs = again !== "" && !first.startsWith(again);
  return (
    <>
      <Checkbox
        title={t("Encrypt with a passphrase")}
        text={t("The page opens offline in any browser, with the passphrase alone.")}
        checked={value !== undefined}
        onChange={(checked) => onChange(checked ? (first === again ? first : "") : undefined)}
      />
      {value !== undefined && (
        <div className="grid grid-cols-2 gap-3 ps-6.5 tiny:grid-cols-1">
          <TextField
            label={t("Passphrase")}
            text={t("Nothing recovers a forgotten passphrase.")}
            type="password"
            autoComplete="new-password"
            value={first}
            onChange={({ target }) => change(target.value, again)}
          />
          <TextField
            label={t("The same passphrase again")}
            text={
              <span role="status" className="text-error">
                {differs && t("The passphrases differ.")}
              </span>
            }
            type="password"
            autoComplete="new-password"
            value={again}
            onChange={({ target }) => change(first, target.value)}
          />
        </div>
      )}
    </>
  );
}
