import clsx from "clsx";
import { type FormEvent, useId, useRef, useState } from "react";
import { Button } from "@/components/form/button";
import { api, type ProviderService } from "@/lib/api/api";
import { formatPlural } from "@/lib/format/format";
import { providerTitle } from "@/lib/format/providers";
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
              <span className="selectable ml-2 font-mono text-text-3 [overflow-wrap:anywhere]">
                {baseUrl}
              </span>
            )}
          </span>
        </span>
        {canTest && (
          <Button aria-label={`Test ${title}`} disabled={test.running} onClick={() => test.run()}>
            {test.running ? "Testing…" : "Test"}
          </Button>
        )}
        {kind !== "local" && !entering && (
          <Button
            aria-label={`${isStored ? "Replace" : "Enter"} the key of ${title}`}
            onClick={() => enter(true)}
          >
            {isStored ? "Replace key…" : "Enter key…"}
          </Button>
        )}
        {isStored && (
          <Button
            variant="quiet"
            aria-label={`Remove the key of ${title}`}
            onClick={() =>
              void change("Could not remove the key", () => api.removeKey(name)).then(test.clear)
            }
          >
            Remove key
          </Button>
        )}
        <Button
          variant="quiet"
          aria-label={`Change the address of ${title}`}
          onClick={onEdit}
          title={baseUrl}
        >
          Address…
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
      <TestLine test={test} what={["model", "models"]} />
    </li>
  );
}

/** Where the key is from, in words. */
function sourceWords({ keyFrom, needsKey, variables }: ProviderService): string {
  if (keyFrom === "keyring") return "Key in the keyring";
  if (keyFrom === "memory") return "Key in memory until Coppice closes";
  if (keyFrom) return `Key from the variable ${keyFrom}`;
  if (!needsKey) return "No key, none needed";
  return `No key · or set ${variables.join(" or ")}`;
}

/** Whether a server on this machine runs, in words. */
function foundWords(found: number | undefined): string {
  if (found === undefined) return "Looking…";
  return found === 0 ? "Not running" : `Running · ${formatPlural(found, "model")}`;
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
    const stored = await change("Could not store the key", () =>
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
          Key of {providerTitle(service.name)}
        </label>
        <input
          id={id}
          ref={field}
          type="password"
          // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
          autoFocus
          autoComplete="off"
          spellCheck={false}
          placeholder={hasKeyring ? "Stored in the keyring" : "Held in memory until Coppice closes"}
          className="h-8 w-full rounded border border-border-strong bg-surface px-2 font-mono"
        />
      </span>
      <Button type="submit" variant="primary" className="!h-8" disabled={saving}>
        Save and test
      </Button>
      <Button variant="quiet" className="!h-8" onClick={() => onDone(false)}>
        Cancel
      </Button>
    </form>
  );
}
