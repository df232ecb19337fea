import { MessageSquareDashed, Trash2 } from "lucide-react";
import { Button } from "@/components/button";
import { EmptyState } from "@/components/empty-state";
import type { Session } from "@/lib/api";
import { runCommand } from "@/lib/commands";

/** What stands where no message is to be seen: there are none yet, or all are in the trash of the session. */
export function NoMessages({ session }: { session: Session }) {
  if (!session.hiddenCount)
    return (
      <EmptyState
        icon={MessageSquareDashed}
        title="No messages yet"
        text="What is said in this session will stand here."
      />
    );
  return (
    <EmptyState
      icon={Trash2}
      title="All of it is in the trash"
      text="The turns of this session were put into its trash, below the tree."
      action={<Button onClick={() => runCommand("restore-turns")}>Restore all</Button>}
    />
  );
}
