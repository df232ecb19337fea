import { Ellipsis } from "lucide-react";
import { actionEntries } from "@/actions/action";
import { originalActions } from "@/actions/original-actions";
import { IconButton } from "@/components/form/icon-button";
import { Menu } from "@/components/menu/menu";
import type { Session } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** The ways back to the tool, the workspace and the file of the session; nothing if it has none. */
export function OriginalMenu({ session }: { session: Session }) {
  const entries = actionEntries(originalActions, [session]);
  if (entries.length === 0) return null;
  return (
    <Menu
      label={t("More actions of the session")}
      align="end"
      trigger={<IconButton icon={Ellipsis} label={t("More actions of the session")} />}
      entries={entries}
    />
  );
}
