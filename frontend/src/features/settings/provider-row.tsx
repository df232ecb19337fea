import clsx from "clsx";
import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/form/button";
import { api, type ProviderService } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { providerTitle } from "@/lib/format/providers";
import { plural, t } from "@/lib/i18n/i18n";
import { formatOr } from "@/lib/i18n/intl";
import { TestLine, useTest } from "./test-line";
import { useChange } from "./use-setup";

interface ProviderRowProps {
  service: ProviderService;
  /** How many models a server on this machine offers; undefined: not known. */
  found: number | undefined;
  /** The keyring of the system responds. */
  hasKeyring: boolean;
  onEdit: () => void;
}

/** A provider: where its key is from, a field for a new one, and a test with a real request. */
export function ProviderRow({ service, found, hasKeyring, onEdit }: ProviderRowProps) {
  const { name, kind, keyFrom, baseUrl, moved } = service;
  const [entering, enter] = useState(false);
  const change = useChange();
  const test = useTest(() => api.testProvider(name));
  const title = providerTitle(name);
  const isStored = keyFrom === "keyring" || keyFrom === "memory";
  const canTest = kind !== "cloud" || keyFrom !== "" || moved;
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-[14rem] flex-1">
          <span className="font-semibold">{title}</span>
          <span className={clsx("block text-sm", keyFrom || found ? "text-text-2" : "text-text-3")}>
            {kind === "local" ? foundWords(found) : sourceWords(service)}
            {(kind !== "cloud" || moved) && (
              <span className="selectable ms-2 font-mono text-text-3 [overflow-wrap:anywhere]">
                {baseUrl}
              </span>
            )}
          </span>
        </span>
        {canTest && (
          <Button
            aria-label={t("Test {{name}}", { name: title })}
            disabled={test.running}
            onClick={() => test.run()}
          >
            {test.running ? t("Testing…") : t("Test")}
          </Button>
        )}
        {kind !== "local" && !entering && (
          <Button
            aria-label={
              isStored
                ? t("Replace the key of {{provider}}", { provider: title })
                : t("Enter the key of {{provider}}", { provider: title })
            }
            onClick={() => enter(true)}
          >
            {isStored ? t("Replace key…") : t("Enter key…")}
          </Button>
        )}
        {isStored && (
          <Button
            variant="quiet"
            aria-label={t("Remove the key of {{provider}}", { provider: title })}
            onClick={() =>
              void change(t("Could not remove the key"), () => api.removeKey(name)).then(test.clear)
            }
          >
            {t("Remove key")}
          </Button>
        )}
        <Button
          variant="quiet"
          aria-label={t("Change the address of {{provider}}", { provider: title })}
          onClick={onEdit}
          title={baseUrl}
        >
          {t("Address…")}
        </Button>
      </div>
      {entering && (
        <KeyForm
          service={service}
          hasKeyring={hasKeyring}
          onDone={(stored) => {
            enter(false);
            if (stored) test.run();
          }}
        />
      )}
      <TestLine test={test} found={(count) => formatPlural(count, "model")} />
    </li>
  );
}

/** Where the key is from, in words. */
function sourceWords({ keyFrom, needsKey, variables }: ProviderService): string {
  if (keyFrom === "keyring") return t("Key in the keyring");
  if (keyFrom === "memory") return t("Key in memory until Coppice closes");
  if (keyFrom) return t("Key from the variable {{variable}}", { variable: keyFrom });
  if (!needsKey) return t("No key, none needed");
  return t("No key · or set {{variables}}", { variables: formatOr(variables) });
}

/** Whether a server on this machine runs, in words. */
function foundWords(found: number | undefined): string {
  if (found === undefined) return t("Looking…");
  return found === 0
    ? t("Not running")
    : plural(found, "Running · {{count}} model", "Running · {{count}} models");
}

interface KeyFormProps {
  service: ProviderService;
  hasKeyring: boolean;
  onDone: (stored: boolean) => void;
}

/** The field for a key. What is typed goes to Go in the body of a request, and nowhere else. */
function KeyForm({ service, hasKeyring, onDone }: KeyFormProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [saving, setSaving] = useState(false);
  const change = useChange();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const input = field.current;
    if (!input?.value.trim()) return input?.focus();
    setSaving(true);
    const stored = await change(t("Could not store the key"), () =>
      api.setKey(service.name, input.value, !hasKeyring),
    );
    setSaving(false);
    if (!stored) return;
    input.value = "";
    onDone(true);
  };
  return (
    <form
      className="mt-2 flex flex-wrap items-end gap-2 rounded bg-sunken px-3 py-2"
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        onDone(false);
      }}
    >
      <span className="min-w-[14rem] flex-1">
        <label htmlFor={id} className="mb-1 block text-sm text-text-2">
          {t("Key of {{provider}}", { provider: providerTitle(service.name) })}
        </label>
        <input
          id={id}
          ref={field}
          type="password"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
          autoFocus
          autoComplete="off"
          spellCheck={false}
          placeholder={
            hasKeyring ? t("Stored in the keyring") : t("Held in memory until Coppice closes")
          }
          className="h-8 w-full rounded border border-border-strong bg-surface px-2 font-mono"
        />
      </span>
      <Button type="submit" variant="primary" className="!h-8" disabled={saving}>
        {t("Save and test")}
      </Button>
      <Button variant="quiet" className="!h-8" onClick={() => onDone(false)}>
        {t("Cancel")}
      </Button>
    </form>
  );
}
