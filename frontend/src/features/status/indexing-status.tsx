import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { t } from "@/lib/i18n/i18n";

/** How far messages are put into the index for search, while that takes long. */
export function IndexingStatus() {
  const { data } = useQuery({ queryKey: keys.indexing(), queryFn: api.getIndexing });
  if (!data || data.total === 0) return null;
  const percent = Math.floor((100 * data.done) / data.total);
  return (
    <span
      className="tight:hidden"
      title={t("{{done}} of {{total}} messages can be searched", {
        done: data.done,
        total: data.total,
      })}
    >
      {t("indexing for search {{percent}} %", { percent })}
    </span>
  );
}
