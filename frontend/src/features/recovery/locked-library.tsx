import { useQueryClient } from "@tanstack/react-query";
import { KeyRound, Lock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/form/button";
import { TextField } from "@/components/form/field";
import { api, type LibraryState, toApiError } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** What the window shows of a library that is encrypted and locked: nothing but the field for its key. */
export function LockedLibrary({ state }: { state: LibraryState }) {
  const client = useQueryClient();
  const [secret, setSecret] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");

  const open = async (unlock: () => Promise<unknown>) => {
    setBusy(true);
    setFailure("");
    try {
      await unlock();
      setSecret("");
      await client.resetQueries();
    } catch (error) {
      setFailure(toApiError(error).message);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (secret !== "") void open(() => api.unlockLibrary(secret));
  };
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto flex min-h-full max-w-[420px] flex-col justify-center px-6 py-8">
        <Lock size={28} className="mb-4 text-accent" aria-hidden="true" />
        <h1 className="text-2xl font-semibold">{t("The library is locked")}</h1>
        <p className="selectable mt-1 mb-5 font-mono text-sm text-text-3 [overflow-wrap:anywhere]">
          {state.path}
        </p>
        <form onSubmit={submit} className="flex flex-col gap-3">
          <TextField
            label={t("Passphrase or recovery code")}
            type="password"
            value={secret}
            autoFocus
            disabled={busy}
            onChange={({ target }) => setSecret(target.value)}
          />
          {failure && (
            <p role="alert" className="selectable text-error [overflow-wrap:anywhere]">
              {failure}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" disabled={busy || secret === ""}>
              {busy ? t("Unlocking…") : t("Unlock")}
            </Button>
            {state.inKeyring && (
              <Button disabled={busy} onClick={() => void open(api.unlockByKeyring)}>
                <KeyRound size={16} aria-hidden="true" />
                {t("Unlock with the keyring")}
              </Button>
            )}
          </div>
        </form>
      </div>
    </main>
  );
}
