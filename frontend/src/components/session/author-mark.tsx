import clsx from "clsx";
import { Shown } from "@/components/text/shown";
import { authorColor } from "@/lib/format/author-color";

interface AuthorMarkProps {
  name: string;
  /** The authors of the session, in the order of their colors. */
  authors: readonly string[];
  className?: string;
}

/** An author: the color and the name. The name is drawn as text, so that nothing depends on the color. */
export function AuthorMark({ name, authors, className }: AuthorMarkProps) {
  return (
    <span className={clsx("inline-flex min-w-0 items-center gap-1.5", className)}>
      <span
        aria-hidden="true"
        className="size-2 shrink-0 rounded-full"
        style={{ background: authorColor(name, authors) }}
      />
      <span className="truncate" dir="auto">
        <Shown text={name} />
      </span>
    </span>
  );
}
