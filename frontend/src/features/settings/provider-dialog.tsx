import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/form/button";
import { SelectField, TextField } from "@/components/form/field";
import { Dialog } from "@/components/overlay/dialog";
import { api, type ProviderService } from "@/lib/api/api";
import { providerTitle } from "@/lib/format/providers";
import { useChange } from "./use-setup";

const protocols = [
  ["openai.chat", "OpenAI chat completions"],
  ["openai.responses", "OpenAI responses"],
  ["anthropic.messages", "Anthropic messages"],
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
  const problem = isNew && taken.includes(name) ? "A provider of this name exists." : "";
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (problem) return;
    const edit = { name, baseUrl, protocol, keyEnv: "" };
    if (await change("Could not save the server", () => api.saveProvider(edit))) onClose();
  };
  const remove = async () => {
    if (await change("Could not remove the server", () => api.removeProvider(name))) onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? "Add server" : `Address of ${providerTitle(name)}`}
      footer={
        <>
          {service && (service.kind === "custom" || service.moved) && (
            <Button variant="quiet" className="mr-auto text-error" onClick={() => void remove()}>
              {service.kind === "custom" ? "Remove server" : "Use the usual address"}
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={form}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        {isNew && (
          <TextField
            label="Name"
            required
            data-autofocus=""
            placeholder="my-server"
            value={name}
            onChange={({ target }) => setName(target.value)}
            text={problem || "Small letters, digits, - and _. Models are named my-server/model."}
            aria-invalid={problem !== ""}
          />
        )}
        <TextField
          label="Base URL"
          required
          {...(!isNew && { "data-autofocus": "" })}
          placeholder="https://host/v1"
          value={baseUrl}
          onChange={({ target }) => setBaseUrl(target.value)}
        />
        <SelectField
          label="Protocol"
          value={protocol}
          onChange={({ target }) => setProtocol(target.value)}
        >
          {protocols.map(([value, title]) => (
            <option key={value} value={value}>
              {title}
            </option>
          ))}
        </SelectField>
      </form>
    </Dialog>
  );
}
