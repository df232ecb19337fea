import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/form/button";
import { SelectField } from "@/components/form/field";
import { api, type ProviderService } from "@/lib/api/api";
import { msg, t, translate } from "@/lib/i18n/i18n";
import { isScripted, refOf } from "@/lib/session/choice";
import { modes } from "@/lib/session/modes";
import { ProviderDialog } from "./provider-dialog";
import { ProviderRow } from "./provider-row";
import { Group, Rows } from "./section";
import { useChange, useChoices, useDefaults, useProviders } from "./use-setup";

/** Providers with their keys, servers on this machine, and what a new session starts with. */
export function ModelsSection() {
  const { data, error } = useProviders();
  const [editing, edit] = useState<ProviderService | "new">();
  const services = data?.services ?? [];
  const of = (kind: string) => services.filter((one) => one.kind === kind);
  // Those with a key come first; the order of the rest is that of the catalogue.
  const clouds = of("cloud").sort((a, b) => Number(b.keyFrom !== "") - Number(a.keyFrom !== ""));
  const { data: choices } = useChoices();
  const found = (name: string) =>
    choices?.models.filter(({ provider }) => provider === name).length;
  const locals = of("local").sort((a, b) => (found(b.name) ?? 0) - (found(a.name) ?? 0));
  const rows = (list: readonly ProviderService[]) =>
    list.map((service) => (
      <ProviderRow
        key={service.name}
        service={service}
        found={service.kind === "local" ? found(service.name) : undefined}
        hasKeyring={data?.keyring === ""}
        onEdit={() => edit(service)}
      />
    ));
  return (
    <>
      <NewSessionDefaults />
      <Group title={t("Providers")} text={<KeyWords keyring={data?.keyring} />}>
        {error && (
          <p className="text-error">
            {t("Could not list the providers: {{message}}", { message: error.message })}
          </p>
        )}
        <Rows label={t("Providers")}>{rows(clouds)}</Rows>
      </Group>
      <Group
        title={t("Servers on this machine")}
        text={t(
          "Coppice finds servers such as Ollama and LM Studio at their usual ports. They need no key and cost nothing.",
        )}
      >
        <Rows label={t("Servers on this machine")}>{rows(locals)}</Rows>
      </Group>
      <Group
        title={t("Your servers")}
        text={t(
          "Any other server that speaks the protocol of OpenAI, Anthropic, Google or Ollama.",
        )}
        actions={
          <Button onClick={() => edit("new")}>
            <Plus size={16} aria-hidden="true" />
            {t("Add server…")}
          </Button>
        }
      >
        <Rows label={t("Your servers")}>{rows(of("custom"))}</Rows>
      </Group>
      {editing && (
        <ProviderDialog
          service={editing === "new" ? undefined : editing}
          taken={services.map(({ name }) => name)}
          onClose={() => edit(undefined)}
        />
      )}
    </>
  );
}

/** Where keys are stored, and what that means. */
function KeyWords({ keyring }: { keyring: string | undefined }) {
  if (keyring)
    return (
      <>
        <strong className="font-semibold text-warn">
          {t("No keyring responds on this system.")}
        </strong>{" "}
        {t(
          "A key that you enter here is held in memory and forgotten when Coppice closes. To keep it, start a keyring such as GNOME Keyring or KWallet, or set the variable of the provider, such as ANTHROPIC_API_KEY, where Coppice starts: every program that starts there can read it.",
        )}
      </>
    );
  return t(
    "A key is stored in the keyring of your system. It is never shown again, and never written to the library, a log or an export. Environment variables come first.",
  );
}

const defaultKeys = {
  model: msg("Could not set the default model"),
  agent: msg("Could not set the default agent"),
  mode: msg("Could not set the default permissions"),
} as const;

/** The model, the agent and the permissions of a new session. */
function NewSessionDefaults() {
  const { data: defaults } = useDefaults();
  const { data: choices } = useChoices();
  const change = useChange();
  const set = (key: keyof typeof defaultKeys, value: string) =>
    void change(translate(defaultKeys[key]), () => api.setDefault(key, value));
  const models = (choices?.models ?? []).map(refOf).filter((ref) => !isScripted(ref));
  const chosen = defaults?.model ?? "";
  return (
    <Group
      title={t("New sessions")}
      text={t("What a new session starts with. Each session remembers its own choice.")}
    >
      {defaults?.problems.map((problem) => (
        <p
          key={problem}
          role="alert"
          className="selectable mb-2 text-error [overflow-wrap:anywhere]"
        >
          {problem}
        </p>
      ))}
      <div className="grid grid-cols-3 gap-4 tiny:grid-cols-1">
        <SelectField
          label={t("Model")}
          value={chosen}
          onChange={({ target }) => set("model", target.value)}
        >
          <option value="">{t("First that can be used")}</option>
          {chosen && !models.includes(chosen) && <option value={chosen}>{chosen}</option>}
          {models.map((ref) => (
            <option key={ref} value={ref}>
              {ref}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("Agent")}
          value={defaults?.agent ?? ""}
          onChange={({ target }) => set("agent", target.value)}
        >
          {choices?.agents.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t("Permissions")}
          value={defaults?.mode ?? ""}
          onChange={({ target }) => set("mode", target.value)}
          text={modes().find(({ mode }) => mode === defaults?.mode)?.text}
        >
          {modes().map(({ mode, title }) => (
            <option key={mode} value={mode}>
              {title}
            </option>
          ))}
        </SelectField>
      </div>
    </Group>
  );
}
