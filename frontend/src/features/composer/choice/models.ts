import type { ModelInfo } from "@/lib/api/api";
import { formatCount } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { isScripted, refOf } from "@/lib/session/choice";

/** The models of one provider. */
interface ModelGroup {
  provider: string;
  models: ModelInfo[];
}

/** Groups models by their provider in the order of the list; scripts come last. */
export function groupModels(models: readonly ModelInfo[]): ModelGroup[] {
  const groups = new Map<string, ModelInfo[]>();
  for (const model of models) {
    const group = groups.get(model.provider);
    if (group) group.push(model);
    else groups.set(model.provider, [model]);
  }
  const all = [...groups].map(([provider, models]) => ({ provider, models }));
  const isPlayed = ({ models }: ModelGroup) => models.every((one) => isScripted(refOf(one)));
  return [...all.filter((one) => !isPlayed(one)), ...all.filter(isPlayed)];
}

/** "200K", "1M"; empty if it is unknown. */
export function contextWords({ contextTokens }: ModelInfo): string {
  if (contextTokens <= 0) return "";
  if (contextTokens >= 1_000_000)
    return `${formatCount(Math.round(contextTokens / 100_000) / 10)}M`;
  return `${formatCount(Math.round(contextTokens / 1000))}K`;
}

/** Dollars for a million tokens in and out, "$3 / $15"; "free" and "price unknown" in words. */
export function priceWords(model: ModelInfo): string {
  if (isScripted(refOf(model))) return "";
  const { inputNanoUsdPerMillion: input, outputNanoUsdPerMillion: output } = model;
  if (model.local || (input === 0 && output === 0)) return t("free");
  if (input === undefined || input === null || output === undefined || output === null)
    return t("price unknown");
  return `${dollars(input)} / ${dollars(output)}`;
}

/** Prices are shown with the digits they have. */
function dollars(nanoUsd: number): string {
  return `$${Number((nanoUsd / 1e9).toFixed(4))}`;
}

/** Finds the typed words in a model's name, in any order. */
export function matchModels(models: readonly ModelInfo[], typed: string): ModelInfo[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    const name = `${refOf(model)} ${model.name}`.toLowerCase();
    return words.every((word) => name.includes(word));
  });
}

/** A reference as typed, for a model that is in no list. */
export function typedReference(typed: string): string {
  const reference = typed.trim();
  return /^[a-z0-9_-]+\/\S+$/i.test(reference) ? reference : "";
}
