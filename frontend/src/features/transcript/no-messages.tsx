import { MessageSquareDashed, Trash2 } from "lucide-react";
import { EmptyState } from "@/components/feedback/empty-state";
import { Button } from "@/components/form/button";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { runCommand } from "@/lib/keys/commands";

/** Shown if no message is visible: the session is empty, or all messages are in its trash. */
export function NoMessages({ session }: { session: Session }) {
  if (!session.hiddenCount)
    return (
      <EmptyState
        icon={MessageSquareDashed}
        title={t("No messages yet")}
        text={t("Write a message below to start the session.")}
      />
    );
  return (
    <EmptyState
      icon={Trash2}
      title={t("All turns are in the trash")}
      text={t("Restore them here, or one by one in the trash below the tree.")}
      action={<Button onClick={() => runCommand("restore-turns")}>{t("Restore all")}</Button>}
    />
  );
}
