import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { Button } from "@/components/form/button";
import { api, type SearchQuery } from "@/lib/api/api";
import { keys } from "@/lib/api/query";
import { formatCount } from "@/lib/format/format";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";
import { changeWindowState } from "@/lib/store/window-state";

/** Offers to search the messages for what no session is named by; nothing if no message has it. */
export function SearchInstead({ text }: { text: string }) {
  const query: SearchQuery = {
    text,
    regex: false,
    substring: false,
    filter: "",
    sessionId: "",
    fromId: "",
    order: "newest",
    typing: false,
    limit: 1,
    before: 0,
    withinMs: 1000,
  };
  const { data } = useQuery({
    queryKey: keys.hitCount(query),
    queryFn: () => api.countHits(query),
  });
  if (!data || data.total === 0) return null;
  const count = `${formatCount(data.total)}${data.more ? "+" : ""}`;
  return (
    <Button
      variant="primary"
      onClick={() => {
        changeWindowState("searchFor", "", () => text);
        runCommand("search");
      }}
    >
      <Search size={14} aria-hidden="true" />
      {data.total === 1
        ? t("Show the message that has it")
        : t("Show {{count}} messages that have it", { count })}
    </Button>
  );
}
