import { type Message, msg, translate } from "@/lib/i18n/i18n";

/** The colors of labels; see core.Colors. Each is a lane's, so that they are as distinguishable as those. */
export const labelColors = ["green", "blue", "amber", "violet", "pink", "teal", "red", "grey"];

const variables: Record<string, string> = {
  green: "var(--accent)",
  blue: "var(--lane-1)",
  amber: "var(--lane-6)",
  violet: "var(--lane-3)",
  pink: "var(--lane-4)",
  teal: "var(--lane-5)",
  red: "var(--lane-8)",
  grey: "var(--lane-7)",
};

const names: Record<string, Message> = {
  "": msg("No color"),
  green: msg("Green"),
  blue: msg("Blue"),
  amber: msg("Amber"),
  violet: msg("Violet"),
  pink: msg("Pink"),
  teal: msg("Teal"),
  red: msg("Red"),
  grey: msg("Grey"),
};

/** The CSS color of a label's color; undefined for none. */
export function labelColor(name: string | undefined): string | undefined {
  return name === undefined ? undefined : variables[name];
}

/** What a label's color is called: "Amber". */
export function colorName(name: string): string {
  const word = names[name];
  return word ? translate(word) : name;
}
