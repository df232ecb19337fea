// What Go answers for the sections of the settings, and ways to change it.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { toastError } from "@/components/feedback/toast";
import { api, type Settings } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { changeSettings } from "./change-settings";

/** Settings that a file or the keyring may change at any time are read again whenever they are shown. */
const fresh = { staleTime: 0 } as const;

export const useProviders = () =>
  useQuery({ queryKey: keys.providers(), queryFn: api.listProviders, ...fresh });
export const useDefaults = () =>
  useQuery({ queryKey: keys.defaults(), queryFn: api.getDefaults, ...fresh });
export const useAgents = () =>
  useQuery({ queryKey: keys.agents(), queryFn: api.listAgents, ...fresh });
export const useServers = () =>
  useQuery({ queryKey: keys.servers(), queryFn: api.listServers, ...fresh });
export const useTrusted = () =>
  useQuery({ queryKey: keys.trusted(), queryFn: api.listTrusted, ...fresh });
/** What a new session can choose from. */
export const useChoices = () =>
  useQuery({ queryKey: keys.composer("", ""), queryFn: () => api.getComposerOptions("", "") });

/** Returns a function that runs a change, shows its error, and reads again what it may have changed. It reports whether the change succeeded. */
export function useChange() {
  const client = useQueryClient();
  return async (failed: string, change: () => Promise<unknown>): Promise<boolean> => {
    try {
      await change();
      return true;
    } catch (reason) {
      toastError(failed, reason);
      return false;
    } finally {
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.settings() }),
        // The composer offers what can be used now.
        client.invalidateQueries({ queryKey: ["composer"] }),
      ]);
    }
  };
}

/** The window's settings and a function that changes some of them at once. */
export function useSettings() {
  const client = useQueryClient();
  const { data: settings } = useQuery({ queryKey: keys.settings(), queryFn: api.getSettings });
  const change = (part: Partial<Settings>) => changeSettings(client, () => part);
  return { settings, change };
}
