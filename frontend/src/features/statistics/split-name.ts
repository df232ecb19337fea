import { baseName } from "@/lib/format/format";
import { sourceName } from "@/lib/format/sources";
import { others } from "./series";
import type { Split } from "./use-statistics";

/** A value of the split in words. */
export function splitName(value: string, split: Split): string {
  if (value === others) return "Others";
  if (split === "source") return sourceName(value);
  if (value === "") return split === "model" ? "Unknown model" : "No workspace";
  return split === "workspace" ? baseName(value) : value;
}
