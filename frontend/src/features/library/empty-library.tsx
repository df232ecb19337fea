import { Archive, Inbox, ListFilter, Pin, Trash2 } from "lucide-react";
import { EmptyState } from "@/components/feedback/empty-state";
import { Button } from "@/components/form/button";
import { type Message, msg, t, translate } from "@/lib/i18n/i18n";
import type { Shelf } from "./filters";
import { SearchInstead } from "./search-instead";

interface EmptyLibraryProps {
  shelf: Shelf;
  narrowed: boolean;
  /** The filter shows only the subagents of one session. */
  ofParent: boolean;
  /** What the user has typed; empty: nothing. */
  query: string;
  onClear: () => void;
}

const words: Record<Shelf, { icon: typeof Inbox; title: Message; text: Message }> = {
  all: {
    icon: Inbox,
    title: msg("No sessions yet"),
    text: msg("Every conversation you start or import appears here, newest first."),
  },
  unfinished: {
    icon: Inbox,
    title: msg("Nothing is unfinished"),
    text: msg("Sessions that were interrupted or failed appear here."),
  },
  pinned: {
    icon: Pin,
    title: msg("Nothing is pinned"),
    text: msg("Pin a session to keep it at hand."),
  },
  archived: {
    icon: Archive,
    title: msg("The archive is empty"),
    text: msg("Archived sessions leave the list and stay searchable."),
  },
  trash: {
    icon: Trash2,
    title: msg("The trash is empty"),
    text: msg("Sessions you delete stay here until you empty the trash."),
  },
};

/** What the library shows if a list is empty. */
export function EmptyLibrary({ shelf, narrowed, ofParent, query, onClear }: EmptyLibraryProps) {
  if (narrowed)
    return (
      <EmptyState
        icon={ListFilter}
        title={
          ofParent ? t("This session started no subagents") : t("No session matches the filter")
        }
        action={
          <div className="flex flex-col items-center gap-2">
            {query !== "" && <SearchInstead text={query} />}
            <Button onClick={onClear}>
              {ofParent ? t("Back to all sessions") : t("Clear all filters")}
            </Button>
          </div>
        }
      />
    );
  const { icon } = words[shelf];
  const [title, text] = [translate(words[shelf].title), translate(words[shelf].text)];
  return <EmptyState icon={icon} title={title} text={text} />;
}
