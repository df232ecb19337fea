import clsx from "clsx";
import { Ellipsis } from "lucide-react";
import { actionEntries } from "@/actions/action";
import { ActionButton } from "@/actions/action-button";
import { Menu } from "@/components/menu/menu";
import type { MessageView } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";
import { useTranscript } from "../scope";
import { messageButtons, messageMenu } from "./message-menu";

interface MessageToolbarProps {
  message: MessageView;
  /** There is room for the menu only. */
  narrow: boolean;
  /** Called when its menu opens and closes: the toolbar must stay while it is open. */
  onMenu: (open: boolean) => void;
}

const small = "!size-[22px]";

/** The actions of a message. The row shows it while the pointer or the focus is inside. */
export function MessageToolbar({ message, narrow, onMenu }: MessageToolbarProps) {
  const { actions } = useTranscript();
  return (
    <div className="flex items-center" role="toolbar" aria-label={t("Actions")}>
      {!narrow &&
        messageButtons(actions, message).map((action) => (
          <ActionButton key={action.name} action={action} target={message} className={small} />
        ))}
      <Menu
        align="end"
        label={t("Actions")}
        onOpenChange={onMenu}
        entries={actionEntries(messageMenu(actions), message)}
        trigger={
          <button
            type="button"
            aria-label={t("More actions")}
            className={clsx(
              narrow ? "w-[18px]" : "w-[22px]",
              "inline-flex h-[22px] items-center justify-center rounded text-text-2 hover:bg-sunken hover:text-text data-[state=open]:bg-sunken",
            )}
          >
            <Ellipsis size={16} aria-hidden="true" />
          </button>
        }
      />
    </div>
  );
}
