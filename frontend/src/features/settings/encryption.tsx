import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toastError } from "@/components/feedback/toast";
import { Button } from "@/components/form/button";
import { RadioCards } from "@/components/form/radio-cards";
import { EncryptDialog } from "@/components/overlay/encrypt-dialog";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";
import { useLibraryState } from "@/lib/library/library-state";
import { changeSettings } from "./change-settings";

const choices = () => [
  { value: "5", title: t("5 minutes") },
  { value: "15", title: t("15 minutes") },
  { value: "60", title: t("1 hour") },
  { value: "0", title: t("Never") },
];

/** Whether the library is encrypted, and when it is locked. */
export function Encryption() {
  const client = useQueryClient();
  const { data: state } = useLibraryState();
  const { data: settings } = useQuery({ queryKey: keys.settings(), queryFn: api.getSettings });
  const [asking, setAsking] = useState(false);
  if (!state || !settings) return null;
  const choose = (minutes: string) =>
    void changeSettings(client, () => ({ autoLockMinutes: Number(minutes) }));
  const lock = () =>
    api.lockLibrary().catch((error) => toastError(t("Could not lock the library"), error));
  return (
    <>
      <p className="text-text-2">
        {state.encrypted
          ? t("The library and its backups are encrypted.")
          : t("The library is not encrypted: any program of yours can read its file.")}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => setAsking(true)}>
          {state.encrypted ? t("Change passphrase…") : t("Encrypt…")}
        </Button>
        {state.encrypted && <Button onClick={() => void lock()}>{t("Lock now")}</Button>}
      </div>
      {state.encrypted && (
        <div className="mt-4">
          <p className="mb-2 text-text-2">
            {t("Lock after so long without a key or a click, and when the machine was suspended.")}
          </p>
          <RadioCards
            label={t("Lock after")}
            value={String(settings.autoLockMinutes)}
            onChange={choose}
            cards={choices()}
          />
        </div>
      )}
      <EncryptDialog open={asking} onClose={() => setAsking(false)} change={state.encrypted} />
    </>
  );
}
