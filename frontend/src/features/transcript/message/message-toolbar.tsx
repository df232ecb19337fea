import clsx from "clsx";
import { Copy, Ellipsis, GitBranch, Pencil, RefreshCw, Tag } from "lucide-react";
import { IconButton } from "@/components/icon-button";
import { Menu } from "@/components/menu";
import type { MessageView } from "@/lib/api";
import { canEdit, canRegenerate } from "@/lib/compose";
import { useTranscript } from "../scope";
import { messageKeys, messageMenu } from "./message-menu";

interface MessageToolbarProps {
  message: MessageView;
  /** There is room for the menu only. */
  narrow: boolean;
  /** Told when its menu opens and closes: it must stay while it is open. */
  onMenu: (open: boolean) => void;
}

const small = "!size-[22px]";

/** The actions of a message. The row shows it while the pointer or the focus is inside. */
export function MessageToolbar({ message, narrow, onMenu }: MessageToolbarProps) {
  const { actions } = useTranscript();
  return (
    <div className="flex items-center" role="toolbar" aria-label="Actions">
      {!narrow && (
        <>
          {canEdit(message) && (
            <IconButton
              icon={Pencil}
              label="Edit and resend"
              keys={messageKeys.edit}
              className={small}
              onClick={() => actions.edit(message)}
            />
          )}
          {canRegenerate(message) && (
            <IconButton
              icon={RefreshCw}
              label="Regenerate"
              keys={messageKeys.regenerate}
              className={small}
              onClick={() => actions.regenerate(message, false)}
            />
          )}
          <IconButton
            icon={GitBranch}
            label="Branch from here"
            keys={messageKeys.branchFrom}
            className={small}
            onClick={() => actions.branchFrom(message)}
          />
          <IconButton
            icon={Copy}
            label="Copy as Markdown"
            keys={messageKeys.copyMarkdown}
            className={small}
            onClick={() => actions.copyMarkdown(message)}
          />
          <IconButton
            icon={Tag}
            label="Label the turn"
            keys={messageKeys.editLabel}
            className={small}
            onClick={() => actions.editLabel(message)}
          />
        </>
      )}
      <Menu
        align="end"
        label="Actions"
        onOpenChange={onMenu}
        entries={messageMenu(message, actions)}
        trigger={
          <button
            type="button"
            aria-label="More actions"
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
