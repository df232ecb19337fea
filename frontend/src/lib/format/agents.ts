import { type Message, msg, translate } from "@/lib/i18n/i18n";

/** The descriptions of the agents that are built in, as Go has them. */
const builtIn: readonly Message[] = [
  msg("Does a task from beginning to end, with all tools"),
  msg("Reads the workspace and works out a plan; changes nothing"),
  msg("Looks for what is wrong in a change or in code; changes nothing"),
];

/** Returns the description of an agent: translated if it is built in, else as its author wrote it. */
export function agentDescription(description: string): string {
  const known = builtIn.find((text) => text === description);
  return known ? translate(known) : description;
}
