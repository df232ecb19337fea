import { type CommandName, keyOf, runCommand } from "@/lib/commands";
import { isTextField, matchesChord } from "@/lib/keys";

/** What tends a turn by keys, in the outline and on the map alike; what only moves, each hears itself. */
const tendingKeys: readonly CommandName[] = [
  "compare-turn",
  "bookmark",
  "set-main",
  "trash-turns",
  "mark-all",
  "copy-branch",
  "copy-path",
  "paste-graft",
];

/** Does what a key says with the selected turn; false where it says nothing. */
export function pressTurnKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || isTextField(event.target)) return false;
  // Text that a person has selected in the details is what they copy.
  if (matchesChord(event, "Mod+C") && window.getSelection()?.isCollapsed === false) return false;
  const name = tendingKeys.find((name) => matchesChord(event, keyOf(name)));
  return name !== undefined && runCommand(name);
}
