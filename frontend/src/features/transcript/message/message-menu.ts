import { Copy, GitBranch, Hash, ListTree, Pencil, RefreshCw, Tag, TextQuote } from "lucide-react";
import type { MenuEntry } from "@/components/menu-entry";
import type { MessageView } from "@/lib/api";
import { keyOf } from "@/lib/commands";
import { canEdit, canRegenerate } from "@/lib/compose";
import type { MessageActions } from "../scope";

/** The keys of a message's actions, heard by the transcript while it has the focus. */
export const messageKeys = {
  branchFrom: keyOf("branch-from"),
  copyMarkdown: keyOf("copy-message"),
  copyUid: keyOf("copy-message-id"),
  edit: keyOf("edit-message"),
  editLabel: keyOf("label"),
  quoteFrom: keyOf("quote-from"),
  quoteHere: keyOf("quote-here"),
  regenerate: keyOf("regenerate"),
  regenerateWith: keyOf("regenerate-with"),
  showInTree: keyOf("show-in-tree"),
} as const;

/** What can be done with a message, as the lines of a menu. */
export function messageMenu(message: MessageView, actions: MessageActions): MenuEntry[] {
  const entries: MenuEntry[] = [];
  if (canEdit(message))
    entries.push({
      title: "Edit and resend…",
      icon: Pencil,
      keys: messageKeys.edit,
      onSelect: () => actions.edit(message),
    });
  if (canRegenerate(message))
    entries.push(
      {
        title: "Regenerate",
        icon: RefreshCw,
        keys: messageKeys.regenerate,
        onSelect: () => actions.regenerate(message, false),
      },
      {
        title: "Regenerate with another model…",
        keys: messageKeys.regenerateWith,
        onSelect: () => actions.regenerate(message, true),
      },
    );
  entries.push(
    {
      title: "Branch from here",
      icon: GitBranch,
      keys: messageKeys.branchFrom,
      onSelect: () => actions.branchFrom(message),
    },
    {
      title: "Branch from here with quote",
      icon: TextQuote,
      keys: messageKeys.quoteFrom,
      onSelect: () => actions.quote(message, "branch"),
    },
    {
      title: "Quote in message",
      keys: messageKeys.quoteHere,
      onSelect: () => actions.quote(message, "here"),
    },
    {
      title: "Copy as Markdown",
      icon: Copy,
      keys: messageKeys.copyMarkdown,
      onSelect: () => actions.copyMarkdown(message),
    },
    {
      title: "Copy the message's id",
      icon: Hash,
      keys: messageKeys.copyUid,
      onSelect: () => actions.copyUid(message),
    },
    {
      title: "Label the turn…",
      icon: Tag,
      keys: messageKeys.editLabel,
      onSelect: () => actions.editLabel(message),
    },
    {
      title: "Show in the tree",
      icon: ListTree,
      keys: messageKeys.showInTree,
      onSelect: () => actions.showInTree(message),
    },
  );
  if (message.siblings > 1)
    entries.push(
      "separator",
      {
        title: "Previous alternative",
        keys: "Alt+ArrowUp",
        disabled: message.siblingIndex <= 1,
        onSelect: () => actions.stepSibling(message, -1),
      },
      {
        title: "Next alternative",
        keys: "Alt+ArrowDown",
        disabled: message.siblingIndex >= message.siblings,
        onSelect: () => actions.stepSibling(message, 1),
      },
    );
  return entries;
}
