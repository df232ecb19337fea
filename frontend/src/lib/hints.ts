/**
 * A hint about a model, worded for the window. Go words it for a terminal too: the window has the list of models,
 * the terminal a command.
 */
export function atWindow(hint: string): string {
  const said = hint
    .replace(/[:;] (run: )?coppice models\b[^;]*/, "")
    .replace(/, or give its address with --base-url\b/, "")
    .replace(/\brun: (?=coppice )/, "run in a terminal: ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}
