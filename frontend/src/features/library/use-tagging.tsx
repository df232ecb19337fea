import { type ReactNode, useState } from "react";
import type { MenuEntry } from "@/components/menu/menu-entry";
import type { Session, Tag } from "@/lib/api/api";
import { colorTag, renameTag, tag } from "./session-actions";
import { TagDialog, type TagQuestion } from "./tag-dialog";
import { tagEntries } from "./tag-entries";

interface Tagging {
  /** The entries of a menu with the tags of sessions. */
  entries: (about: readonly Session[]) => MenuEntry[];
  dialog: ReactNode;
}

/** Returns the menus that tag sessions, and the dialog that they open. */
export function useTagging(tags: readonly Tag[]): Tagging {
  const [question, setQuestion] = useState<TagQuestion>();
  const entries = (about: readonly Session[]) => {
    const ids = about.map(({ id }) => id);
    return tagEntries(about, tags, {
      tag: (name, remove) => void tag(ids, name, remove),
      newTag: () => setQuestion({ ids }),
      renameTag: (from) => setQuestion({ from }),
      colorTag: (name, color) => void colorTag(name, color),
    });
  };
  const dialog = (
    <TagDialog
      question={question}
      tags={tags}
      onClose={() => setQuestion(undefined)}
      onName={(name) => {
        if (question?.from === undefined) void tag(question?.ids ?? [], name, false);
        else void renameTag(question.from, name);
      }}
    />
  );
  return { entries, dialog };
}
