import { useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatCount } from "@/lib/format/format";

/** How far messages are put into the index for search, while that takes long. */
export function IndexingStatus() {
  const { data } = useQuery({ queryKey: keys.indexing(), queryFn: api.getIndexing });
  if (!data || data.total === 0) return null;
  const percent = Math.floor((100 * data.done) / data.total);
  return (
    <span
      className="tight:hidden"
      title={`${formatCount(data.done)} of ${formatCount(data.total)} messages can be searched`}
    >
      indexing for search {percent} %
    </span>
  );
}
