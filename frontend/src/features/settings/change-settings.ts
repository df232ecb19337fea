import type { QueryClient } from "@tanstack/react-query";
import { toastError } from "@/components/feedback/toast";
import { api, type Settings } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";

interface Saving {
  /** What is being set; what Go answers meanwhile may be older. */
  newest: Settings | undefined;
  /** Ends with the last save: calls that overlap may end in another order. */
  last: Promise<void>;
}

const savings = new WeakMap<QueryClient, Saving>();

/** Changes settings from what is set by now. They are shown at once and saved one after the other; of those that wait only the newest is. */
export function changeSettings(
  client: QueryClient,
  change: (now: Settings) => Partial<Settings>,
): Promise<void> {
  const saving = savings.get(client) ?? { newest: undefined, last: Promise.resolve() };
  savings.set(client, saving);
  const now = saving.newest ?? client.getQueryData<Settings>(keys.settings());
  if (!now) return saving.last;
  const next = { ...now, ...change(now) };
  saving.newest = next;
  show(client, next);
  saving.last = saving.last.then(() => save(client, saving, next));
  return saving.last;
}

async function save(client: QueryClient, saving: Saving, next: Settings): Promise<void> {
  if (saving.newest !== next) return;
  const isSaved = await api.setSettings(next).then(
    () => true,
    (error) => {
      toastError(t("Could not save the settings"), error);
      return false;
    },
  );
  if (saving.newest !== next) return;
  saving.newest = undefined;
  if (isSaved)
    show(client, next); // what was asked for before it was saved may have been answered since
  else void client.invalidateQueries({ queryKey: keys.settings() });
}

function show(client: QueryClient, settings: Settings): void {
  void client.cancelQueries({ queryKey: keys.settings(), exact: true });
  client.setQueryData(keys.settings(), settings);
}
