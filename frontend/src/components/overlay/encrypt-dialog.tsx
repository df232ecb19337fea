import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/form/button";
import { Checkbox } from "@/components/form/checkbox";
import { CopyButton } from "@/components/form/copy-button";
import { TextField } from "@/components/form/field";
import { api, toApiError } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { Dialog } from "./dialog";

interface EncryptDialogProps {
  open: boolean;
  onClose: () => void;
  /** The library is encrypted: its passphrase is replaced. */
  change?: boolean;
}

/** Asks for a new passphrase twice, encrypts the library with it, and shows the recovery code. */
export function EncryptDialog({ open, onClose, change }: EncryptDialogProps) {
  const client = useQueryClient();
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const [keyring, setKeyring] = useState(true);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const [code, setCode] = useState("");

  const close = () => {
    if (busy) return;
    setPassphrase("");
    setAgain("");
    setFailure("");
    setCode("");
    onClose();
    if (code) void client.resetQueries();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (passphrase !== again) {
      setFailure(t("The passphrases differ."));
      return;
    }
    setBusy(true);
    setFailure("");
    try {
      if (change) await api.changePassphrase(passphrase);
      else setCode(await api.encryptLibrary(passphrase, keyring));
      setPassphrase("");
      setAgain("");
      if (change) onClose();
    } catch (error) {
      const { code, message } = toApiError(error);
      setFailure(
        !change && keyring && code === "unavailable"
          ? t("The keyring of this system does not respond. Clear the box to do without it.")
          : message,
      );
    } finally {
      setBusy(false);
    }
  };
  if (code)
    return (
      <Dialog
        open={open}
        onClose={close}
        title={t("The library is encrypted")}
        description={t(
          "Print this recovery code or write it down. It opens the library if the passphrase is lost, and is not shown again.",
        )}
        footer={
          <>
            <CopyButton label={t("Copy")} text={code} />
            <Button variant="primary" onClick={close}>
              {t("Done")}
            </Button>
          </>
        }
      >
        <p className="selectable rounded bg-sunken p-3 text-center font-mono text-lg [overflow-wrap:anywhere]">
          {code}
        </p>
      </Dialog>
    );
  return (
    <Dialog
      open={open}
      onClose={close}
      title={change ? t("Change passphrase") : t("Encrypt the library")}
      description={
        change
          ? t("The recovery code and other keys stay valid.")
          : t(
              "The file, its log and its backups are encrypted. Search, runs and imports work as before. If you lose the passphrase and the recovery code, nothing can open the library.",
            )
      }
      footer={
        <>
          <Button disabled={busy} onClick={close}>
            {t("Cancel")}
          </Button>
          <Button
            type="submit"
            form="encrypt"
            variant="primary"
            disabled={busy || passphrase === "" || again === ""}
          >
            {change ? t("Change passphrase") : busy ? t("Encrypting…") : t("Encrypt")}
          </Button>
        </>
      }
    >
      <form id="encrypt" onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label={t("New passphrase")}
          type="password"
          value={passphrase}
          disabled={busy}
          onChange={({ target }) => setPassphrase(target.value)}
        />
        <TextField
          label={t("The same passphrase again")}
          type="password"
          value={again}
          disabled={busy}
          onChange={({ target }) => setAgain(target.value)}
        />
        {!change && (
          <Checkbox
            title={t("Unlock with the keyring on this machine")}
            text={t("You are asked for the passphrase only after the library was locked.")}
            checked={keyring}
            onChange={setKeyring}
          />
        )}
        {failure && (
          <p role="alert" className="selectable text-error [overflow-wrap:anywhere]">
            {failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}
