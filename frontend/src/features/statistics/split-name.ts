import { baseName } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { t } from "@/lib/i18n/i18n";
import { others } from "./series";
import type { Split } from "./use-statistics";

/** A value of the split in words. */
export function splitName(value: string, split: Split): string {
  if (value === others) return t("Others");
  if (split === "source") return sourceName(value);
  if (value === "") return split === "model" ? t("Unknown model") : t("No workspace");
  return split === "workspace" ? baseName(value) : value;
}
