import { Archive, Inbox, ListFilter, Pin, Trash2 } from "lucide-react";
import { EmptyState } from "@/components/feedback/empty-state";
import { Button } from "@/components/form/button";
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

const words: Record<Shelf, { icon: typeof Inbox; title: string; text: string }> = {
  all: {
    icon: Inbox,
    title: "No sessions yet",
    text: "Every conversation you start or import appears here, newest first.",
  },
  unfinished: {
    icon: Inbox,
    title: "Nothing is unfinished",
    text: "Sessions that were interrupted or failed appear here.",
  },
  pinned: { icon: Pin, title: "Nothing is pinned", text: "Pin a session to keep it at hand." },
  archived: {
    icon: Archive,
    title: "The archive is empty",
    text: "Archived sessions leave the list and stay searchable.",
  },
  trash: {
    icon: Trash2,
    title: "The trash is empty",
    text: "Sessions you delete stay here until you empty the trash.",
  },
};

/** What the library shows if a list is empty. */
export function EmptyLibrary({ shelf, narrowed, ofParent, query, onClear }: EmptyLibraryProps) {
  if (narrowed)
    return (
      <EmptyState
        icon={ListFilter}
        title={ofParent ? "This session started no subagents" : "No session matches the filter"}
        action={
          <div className="flex flex-col items-center gap-2">
            {query !== "" && <SearchInstead text={query} />}
            <Button onClick={onClear}>
              {ofParent ? "Back to all sessions" : "Clear all filters"}
            </Button>
          </div>
        }
      />
    );
  const { icon, title, text } = words[shelf];
  return <EmptyState icon={icon} title={title} text={text} />;
}
