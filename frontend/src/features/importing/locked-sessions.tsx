import { type FormEvent, useState } from "react";
import { Button } from "@/components/form/button";
import { TextField } from "@/components/form/field";
import { api, toApiError } from "@/lib/api/api";
import { plural, t } from "@/lib/i18n/i18n";

interface LockedSessionsProps {
  count: number;
  /** Imports the same files again. */
  onImport: () => void;
}

/** Asks for the passphrase of encrypted sessions, with which they are imported again. */
export function LockedSessions({ count, onImport }: LockedSessionsProps) {
  const [passphrase, setPassphrase] = useState("");
  const [failure, setFailure] = useState("");
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await api.sendAgentZeroKey(passphrase);
      setPassphrase("");
      onImport();
    } catch (error) {
      setFailure(toApiError(error).message);
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <p className="text-text-2">
        {plural(
          count,
          "{{count}} session is encrypted. Enter the passphrase it was saved with.",
          "{{count}} sessions are encrypted. Enter the passphrase they were saved with.",
        )}
      </p>
      <div className="flex items-end gap-2">
        <TextField
          className="flex-1"
          label={t("Passphrase of the sessions")}
          text={t("It is not stored: it is forgotten when the window closes.")}
          type="password"
          value={passphrase}
          onChange={({ target }) => setPassphrase(target.value)}
        />
        <Button type="submit" className="mb-5 h-8" disabled={passphrase === ""}>
          {t("Import encrypted sessions")}
        </Button>
      </div>
      {failure && (
        <p role="alert" className="selectable text-error [overflow-wrap:anywhere]">
          {failure}
        </p>
      )}
    </form>
  );
}
