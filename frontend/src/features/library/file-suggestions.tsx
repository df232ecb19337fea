import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatPlural } from "@/lib/format/format";

/** The query without the beginning of a file's name at its end, and that beginning; undefined if it does not end so. */
export function typedFile(query: string): { before: string; name: string } | undefined {
  const found = /(^|\s)file:"?([^\s"]+)$/.exec(query);
  return found
    ? { before: query.slice(0, found.index) + found[1], name: found[2] ?? "" }
    : undefined;
}

/** The filter that finds the sessions that changed a file. */
export function fileFilter(name: string): string {
  return /\s/.test(name) ? `file:"${name}"` : `file:${name}`;
}

/** Suggestions for a field whose text ends with the beginning of a file's name, as in `file:mai`. */
export function FileSuggestions({ id, query }: { id: string; query: string }) {
  const typed = typedFile(query);
  const { data } = useQuery({
    queryKey: keys.fileNames(typed?.name ?? ""),
    queryFn: () => api.suggestFiles(typed?.name ?? ""),
    enabled: typed !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <datalist id={id}>
      {typed &&
        data?.map(({ value, count }) => (
          <option
            key={value}
            value={typed.before + fileFilter(value)}
            label={formatPlural(count, "session")}
          />
        ))}
    </datalist>
  );
}
