// The names of models for users. Providers, clouds and tools write the same model in several ways. The rules are those of the Go package
// modelname; the tests of both read one table.

/** A provider or a cloud before the name, such as "anthropic/", "us.anthropic." or "models/". */
const owner = /^(?:.*\/)|^(?:[a-z]{2,4}\.)?(?:anthropic|meta|amazon|mistral|cohere)\./;
/** A date or a version of the same model at the end: "-20251101", "-2025-11-01", "@20250514", "-latest", "-v1:0". */
const version = /(?:[-@]20\d{6}|-20\d\d-\d\d-\d\d|-latest|-v\d+(?::\d+)?)+$/;
/** A version of Claude as some providers write it: "claude-opus-4.5". */
const dotted = /^(claude-.*\d)\.(\d)/;

/** Returns the name under which an alias and the dated ids of one model are the same: "claude-opus-4-5". */
export function modelFamily(id: string): string {
  const trimmed = id.trim();
  if (/^(?:script|replay)\//.test(trimmed)) return trimmed;
  const name = trimmed.toLowerCase().replace(owner, "").replace(version, "");
  return name.replace(dotted, "$1-$2") || id;
}

/** Returns a short name: "opus 4.5" for "claude-opus-4-5-20251101", "tale.json" for "script/docs/tale.json", but "script/demo", which is no file. */
export function shortModel(id: string): string {
  const family = modelFamily(id);
  const file = /^(?:script|replay)\/.*\/([^/]+)$/.exec(family);
  if (file) return file[1] ?? family;
  const later = /^claude-([a-z]+)-(\d+)(?:[-.](\d{1,2}))?(.*)$/.exec(family);
  const earlier = /^claude-(\d+)(?:[-.](\d{1,2}))?-([a-z]+)(.*)$/.exec(family);
  if (later) return named(later[1], later[2], later[3], later[4]);
  if (earlier) return named(earlier[3], earlier[1], earlier[2], earlier[4]);
  return family;
}

const named = (name = "", major = "", minor = "", rest = "") =>
  `${name} ${major}${minor ? `.${minor}` : ""}${rest.replace(/^-/, " ")}`;
