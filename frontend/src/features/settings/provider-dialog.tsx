import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/form/button";
import { SelectField, TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { api, type ProviderService } from "@/lib/api/api";
import { providerTitle } from "@/lib/format/providers";
import { t } from "@/lib/i18n/i18n";
import { useChange } from "./use-setup";

const protocols = () =>
  [
    ["openai.chat", t("OpenAI chat completions")],
    ["openai.responses", t("OpenAI responses")],
    ["anthropic.messages", t("Anthropic messages")],
    ["google.genai", "Google Gemini"],
    ["ollama.chat", "Ollama"],
  ] as const;

interface ProviderDialogProps {
  /** Undefined: a new server. */
  service: ProviderService | undefined;
  /** The names of all providers. */
  taken: readonly string[];
  onClose: () => void;
}

/** The address and the protocol of a provider, or of a new server. */
export function ProviderDialog({ service, taken, onClose }: ProviderDialogProps) {
  const form = useId();
  const change = useChange();
  const [name, setName] = useState(service?.name ?? "");
  const [baseUrl, setBaseUrl] = useState(service?.baseUrl ?? "");
  const [protocol, setProtocol] = useState(service?.protocol ?? "openai.chat");
  const isNew = !service;
  const problem = isNew && taken.includes(name) ? t("A provider of this name exists.") : "";
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (problem) return;
    const edit = { name, baseUrl, protocol, keyEnv: "" };
    if (await change(t("Could not save the server"), () => api.saveProvider(edit))) onClose();
  };
  const remove = async () => {
    if (await change(t("Could not remove the server"), () => api.removeProvider(name))) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        isNew ? t("Add server") : t("Address of {{provider}}", { provider: providerTitle(name) })
      }
      footer={
        <>
          {service && (service.kind === "custom" || service.moved) && (
            <Button variant="quiet" className="me-auto text-error" onClick={() => void remove()}>
              {service.kind === "custom" ? t("Remove server") : t("Use the usual address")}
            </Button>
          )}
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button variant="primary" type="submit" form={form}>
            {t("Save")}
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        {isNew && (
          <TextField
            label={t("Name")}
            required
            data-autofocus=""
            placeholder="my-server"
            value={name}
            onChange={({ target }) => setName(target.value)}
            text={problem || t("Small letters, digits, - and _. Models are named my-server/model.")}
            aria-invalid={problem !== ""}
          />
        )}
        <TextField
          label={t("Base URL")}
          required
          {...(!isNew && { "data-autofocus": "" })}
          placeholder="https://host/v1"
          value={baseUrl}
          onChange={({ target }) => setBaseUrl(target.value)}
        />
        <SelectField
          label={t("Protocol")}
          value={protocol}
          onChange={({ target }) => setProtocol(target.value)}
        >
          {protocols().map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
      </form>
    </Dialog>
  );
}
