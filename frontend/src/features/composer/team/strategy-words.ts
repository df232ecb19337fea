import { type Message, msg, translate } from "@/lib/i18n/i18n";

const words: Readonly<Record<string, Message>> = {
  sequential: msg("one after the other"),
  round_robin: msg("in turn"),
  keyword: msg("by signals"),
  structured: msg("by their answers"),
  state_machine: msg("by states"),
  graph: msg("by a graph"),
  llm: msg("chosen by a manager"),
  adversarial: msg("author and critic"),
  planner: msg("by a plan"),
  parallel: msg("in parallel"),
  map_reduce: msg("by parts"),
};

/** How a team selects the agent of the next turn. */
export function strategyWords(strategy: string): string {
  const known = words[strategy];
  return known ? translate(known) : strategy;
}
