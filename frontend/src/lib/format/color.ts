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

/** The CSS color of a label's color; undefined for none. */
export function labelColor(name: string | undefined): string | undefined {
  return name === undefined ? undefined : variables[name];
}

/** What a label's color is called: "Amber". */
export function colorName(name: string): string {
  return name === "" ? "No color" : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
