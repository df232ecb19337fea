/**
 * What to do about a model, as it is said at the window. Go says it to people at a terminal too: the list of models is
 * here, and a command is run there.
 */
export function atWindow(hint: string): string {
  const said = hint
    .replace(/[:;] (run: )?coppice models\b[^;]*/, "")
    .replace(/, or give its address with --base-url\b/, "")
    .replace(/\brun: (?=coppice )/, "run in a terminal: ");
  return said.charAt(0).toUpperCase() + said.slice(1);
}
