/** A model as users call it: "opus 4.5" for claude-opus-4-5-20251101, without its provider and date. */
export function shortModel(model: string): string {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return name
    .replace(/-(20\d{6}|20\d\d-\d\d-\d\d)$/, "")
    .replace(/^claude-/, "")
    .replace(/-(\d{1,2})-(\d{1,2})$/, " $1.$2")
    .replace(/^((?:opus|sonnet|haiku))-(\d)$/, "$1 $2");
}
