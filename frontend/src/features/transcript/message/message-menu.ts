import {
  Copy,
  GitBranch,
  Hash,
  ListTree,
  Pencil,
  RefreshCw,
  ScrollText,
  SquareTerminal,
  Tag,
  TextQuote,
} from "lucide-react";
import type { Action } from "@/actions/action";
import type { MessageView } from "@/lib/api/api";
import { canEdit, canRegenerate } from "@/lib/store/compose";
import type { MessageActions } from "../scope";

/** Returns what can be done with a message, in the order of its menu. */
export function messageMenu(on: MessageActions): (Action<MessageView> | "separator")[] {
  return [...writingActions(on), ...handlingActions(on), "separator", ...siblingActions(on)];
}

/** Those that continue the conversation. */
function writingActions(on: MessageActions): Action<MessageView>[] {
  return [
    { name: "edit-message", icon: Pencil, isOffered: canEdit, run: on.edit },
    {
      name: "regenerate",
      icon: RefreshCw,
      isOffered: canRegenerate,
      run: (message) => on.regenerate(message, false),
    },
    {
      name: "regenerate-with",
      isOffered: canRegenerate,
      run: (message) => on.regenerate(message, true),
    },
    { name: "branch-from", icon: GitBranch, run: on.branchFrom },
    { name: "quote-from", icon: TextQuote, run: (message) => on.quote(message, "branch") },
    { name: "quote-here", icon: TextQuote, run: (message) => on.quote(message, "here") },
  ];
}

function handlingActions(on: MessageActions): Action<MessageView>[] {
  return [
    { name: "copy-message", icon: Copy, run: on.copyMarkdown },
    { name: "copy-turn-markdown", run: on.copyTurn },
    { name: "copy-path-markdown", run: on.copyPath },
    { name: "copy-message-id", icon: Hash, run: on.copyUid },
    { name: "label", icon: Tag, run: on.editLabel },
    { name: "continue-from-in", icon: SquareTerminal, run: on.handOver },
    { name: "show-in-tree", icon: ListTree, run: on.showInTree },
    {
      name: "show-sent",
      icon: ScrollText,
      isOffered: ({ role }) => role === "assistant",
      run: on.showSent,
    },
  ];
}

function siblingActions(on: MessageActions): Action<MessageView>[] {
  const hasSiblings = ({ siblings }: MessageView) => siblings > 1;
  return [
    {
      name: "previous-sibling",
      isOffered: hasSiblings,
      isEnabled: ({ siblingIndex }) => siblingIndex > 1,
      run: (message) => on.stepSibling(message, -1),
    },
    {
      name: "next-sibling",
      isOffered: hasSiblings,
      isEnabled: ({ siblingIndex, siblings }) => siblingIndex < siblings,
      run: (message) => on.stepSibling(message, 1),
    },
  ];
}

/** Those with a button beside the message. */
export function messageButtons(on: MessageActions, message: MessageView): Action<MessageView>[] {
  const inToolbar = ["edit-message", "regenerate", "branch-from", "copy-message", "label"];
  return [...writingActions(on), ...handlingActions(on)].filter(
    ({ name, isOffered }) => inToolbar.includes(name) && (isOffered?.(message) ?? true),
  );
}
