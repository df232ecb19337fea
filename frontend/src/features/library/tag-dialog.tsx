import { useId, useState } from "react";
import { Button } from "@/components/form/button";
import { Dialog } from "@/components/overlay/dialog";
import type { Tag } from "@/lib/api/api";
import { t } from "@/lib/i18n/i18n";

/** What the dialog asks for: a new tag for sessions, or another name for a tag. */
export type TagQuestion = { ids: string[]; from?: undefined } | { from: string; ids?: undefined };

interface TagDialogProps {
  /** Undefined: closed. */
  question: TagQuestion | undefined;
  tags: readonly Tag[];
  onName: (name: string) => void;
  onClose: () => void;
}

/** Asks for the name of a tag. */
export function TagDialog({ question, tags, onName, onClose }: TagDialogProps) {
  return (
    <Dialog
      open={question !== undefined}
      onClose={onClose}
      title={
        question?.from === undefined
          ? t("New tag")
          : t("Rename tag “{{tag}}”", { tag: question.from })
      }
    >
      {question && <TagForm key={question.from} {...{ question, tags, onName, onClose }} />}
    </Dialog>
  );
}

function TagForm({ question, tags, onName, onClose }: TagDialogProps) {
  const [name, setName] = useState(question?.from ?? "");
  const known = useId();
  const tag = name.trim();
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (tag === "") return;
        onName(tag);
        onClose();
      }}
    >
      <input
        aria-label={t("Name of the tag")}
        data-autofocus
        dir="auto"
        maxLength={50}
        list={known}
        value={name}
        onChange={(event) => setName(event.target.value)}
        className="h-8 w-full rounded border border-border-strong bg-surface px-2"
      />
      <datalist id={known}>
        {tags.map((one) => (
          <option key={one.name} value={one.name} />
        ))}
      </datalist>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button variant="primary" type="submit" disabled={tag === ""}>
          {question?.from === undefined ? t("Add tag") : t("Rename")}
        </Button>
      </div>
    </form>
  );
}
